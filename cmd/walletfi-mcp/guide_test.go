package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/sandbox"
)

// guide has the blocks of docs/agents.md that are in a language.
func guide(t *testing.T, language string) (blocks []string) {
	page, err := os.ReadFile("../../docs/agents.md")
	require.NoError(t, err)
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		blocks = append(blocks, block[1])
	}
	return blocks
}

// TestTheGuidesConfigurations starts what a host would start, on a sandbox.
func TestTheGuidesConfigurations(t *testing.T) {
	s, dir := newShop(t, false), t.TempDir()
	pins := s.args[slices.Index(s.args, "--pins")+1]
	key := filepath.Join(dir, "lending.key")
	require.NoError(t, os.WriteFile(key, []byte(s.APIKey(sandbox.Lending)+"\n"), 0o600))
	blocks := guide(t, "json")
	require.Len(t, blocks, 2)
	for _, block := range blocks {
		var host struct {
			MCPServers map[string]struct {
				Command string
				Args    []string
				Env     map[string]string
			}
		}
		require.NoError(t, json.Unmarshal([]byte(block), &host))
		require.Len(t, host.MCPServers, 1)
		for _, server := range host.MCPServers {
			require.Equal(t, "walletfi-mcp", server.Command)
			env := environment(s.Sandbox)
			for name := range server.Env {
				require.Contains(t, strings.Join(env, " "), name+"=", "a variable of the sandbox")
			}
			here := strings.NewReplacer("/home/me/lending.key", key, "/home/me/pins.json", pins,
				"/home/me/state", stateFolder(t), "/run/walletfi/signer.sock", s.signer.Socket)
			args := strings.Split(here.Replace(strings.Join(server.Args, "\n")), "\n")
			on := session(t, append(env, "WALLETFI_LENDING_KEY=wrong"), args...)
			answered(t, on, "swap_list_venues", nil)
			if slices.Contains(args, "--allow-trades") {
				require.Equal(t, "would sign it now", s.prepared(t, on, 1_000_000)["signer"])
				continue
			}
			answered(t, on, "lending_list_pools", nil)
		}
	}
}

// TestTheGuidesCommands runs the commands as they are written, each with a host's session.
func TestTheGuidesCommands(t *testing.T) {
	s, programs := startSandbox(t, sandbox.Config{}), t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	script := "#!/bin/sh\nWALLETFI_MCP_CHILD=1 exec '" + self + "' \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(programs, "walletfi-mcp"), []byte(script), 0o700))
	blocks := guide(t, "sh")
	require.NotEmpty(t, blocks)
	for _, block := range blocks {
		cmd := exec.Command("bash", "-euc", block)
		cmd.Dir = t.TempDir()
		cmd.Env = append(environment(s), "PATH="+programs+":"+os.Getenv("PATH"))
		cmd.Stderr = &strings.Builder{}
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		on, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
		require.NoError(t, err, "%s\n%s", block, cmd.Stderr)
		tools, err := on.ListTools(t.Context(), nil)
		require.NoError(t, err)
		require.NotEmpty(t, tools.Tools)
		require.NoError(t, on.Close())
	}
}

// TestTheGuideCountsTheTools holds the table of services to the reads.
func TestTheGuideCountsTheTools(t *testing.T) {
	page, err := os.ReadFile("../../docs/agents.md")
	require.NoError(t, err)
	counts := map[string]int{}
	for _, r := range newReads() {
		counts[r.service]++
	}
	require.Len(t, counts, len(names))
	for name, n := range counts {
		require.Regexp(t, "(?m)^\\| `"+name+"` \\| "+jsonOf(t, n)+" \\|", string(page))
	}
}

func jsonOf(t *testing.T, v any) string {
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}
