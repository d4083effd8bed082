package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestMain is the program itself in a child process.
func TestMain(m *testing.M) {
	if os.Getenv("WALLETFI_MCP_CHILD") != "" {
		os.Exit(program(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	status := m.Run()
	if calls > 0 && hostileCalls > 0 {
		fmt.Printf("mcp: tools=%d calls=%d beyond the policy=%d\n", len(reads)+tradeTools, calls+hostileCalls, beyond)
	}
	os.Exit(status)
}

// startSandbox starts a sandbox without rate limits.
func startSandbox(t *testing.T, c sandbox.Config) *sandbox.Sandbox {
	t.Helper()
	c.NoLimits = true
	s, err := sandbox.Start(c)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// names are the sandbox's services by the name of the package.
var names = map[string]sandbox.Service{
	"amm": sandbox.AMM, "burnclose": sandbox.BurnClose, "lending": sandbox.Lending, "leverage": sandbox.Leverage,
	"onchaindata": sandbox.OnchainData, "predictmeta": sandbox.PredictMeta, "providerswap": sandbox.ProviderSwap,
	"smartaccount": sandbox.SmartAccount, "socialsearch": sandbox.SocialSearch, "swap": sandbox.Swap,
	"webhooks": sandbox.Webhooks,
}

// environment has the addresses and keys, as walletfi sandbox prints them.
func environment(s *sandbox.Sandbox) (env []string) {
	for name, of := range names {
		env = append(env, variable(name, "URL")+"="+s.URL(of), variable(name, "KEY")+"="+s.APIKey(of))
	}
	return append(env, variable("amm", "data", "URL")+"="+s.AMM().DataURL(),
		variable("node", "URL")+"="+s.URL(sandbox.RPC))
}

// child is the program as a process of its own. It gets nothing of the environment but env.
func child(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, args...)
	cmd.Env = append(slices.Clone(env), "WALLETFI_MCP_CHILD=1")
	cmd.Stderr = &strings.Builder{}
	return cmd
}

// session is a host's session with a child.
func session(t *testing.T, env []string, args ...string) *mcp.ClientSession {
	t.Helper()
	cmd := child(t, env, args...)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	on, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd, TerminateDuration: time.Minute}, nil)
	require.NoError(t, err, "%s", cmd.Stderr)
	t.Cleanup(func() { require.NoError(t, on.Close(), "%s", cmd.Stderr) })
	return on
}

// ask calls a tool, and returns its structured content, which its text must equal.
func ask(t *testing.T, on *mcp.ClientSession, tool string, arguments map[string]any) (map[string]any, *mcp.CallToolResult) {
	t.Helper()
	r, err := on.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	require.NoError(t, err, tool)
	require.Len(t, r.Content, 1)
	structured, err := json.Marshal(r.StructuredContent)
	require.NoError(t, err)
	require.JSONEq(t, string(structured), r.Content[0].(*mcp.TextContent).Text)
	return r.StructuredContent.(map[string]any), r
}

// answered is the answer of a call that must succeed.
func answered(t *testing.T, on *mcp.ClientSession, tool string, arguments map[string]any) map[string]any {
	t.Helper()
	content, r := ask(t, on, tool, arguments)
	require.False(t, r.IsError, "%s: %v", tool, content)
	return content
}

// refused is the error of a call that must fail.
func refused(t *testing.T, on *mcp.ClientSession, tool string, arguments map[string]any) map[string]any {
	t.Helper()
	content, r := ask(t, on, tool, arguments)
	require.True(t, r.IsError, "%s: %v", tool, content)
	return content["error"].(map[string]any)
}

// stateFolder is a folder for --state.
func stateFolder(t *testing.T) string {
	folder := t.TempDir()
	require.NoError(t, os.Chmod(folder, 0o700))
	return folder
}
