package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// realService is a sandbox in the place of a real service, behind a server that changes its answers.
func realService(t *testing.T, change func(path, body string) string) (url, key string) {
	t.Helper()
	box, err := sandbox.Start(sandbox.Config{ManualClock: true})
	require.NoError(t, err)
	t.Cleanup(box.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.RequestURI(), "/base")
		request, err := http.NewRequest(r.Method, box.URL(sandbox.Lending)+path, r.Body)
		if !assert.NoError(t, err) {
			return
		}
		request.Header = r.Header
		answer, err := box.Transport().RoundTrip(request)
		if !assert.NoError(t, err) {
			return
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		assert.NoError(t, err)
		w.WriteHeader(answer.StatusCode)
		_, _ = io.WriteString(w, change(path, string(body)))
	}))
	t.Cleanup(server.Close)
	return server.URL + "/base", box.APIKey(sandbox.Lending)
}

// recorded runs record while ask uses its address, and returns its output after that, and its status.
func recorded(t *testing.T, upstream, into string, ask func(url string)) (string, int) {
	t.Helper()
	cmd := exec.Command(binary, "sandbox", "record", "--service", "lending", "--upstream", upstream, into)
	cmd.Env = []string{}
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	require.NoError(t, err)
	ask(strings.Trim(strings.TrimPrefix(strings.TrimSpace(first), "WALLETFI_RECORD_URL="), "'"))
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	rest, err := io.ReadAll(lines)
	require.NoError(t, err)
	_ = cmd.Wait()
	return string(rest), cmd.ProcessState.ExitCode()
}

func get(t *testing.T, url, key string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, url, nil)
	require.NoError(t, err)
	request.Header.Set("X-Api-Key", key)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
}

func TestRecordFindsWhatDiffers(t *testing.T) {
	url, key := realService(t, func(path, body string) string {
		if path == "/v1/rates" {
			return body
		}
		body = strings.ReplaceAll(body, `"coverageRatio":0.5,`, ``)
		body = strings.ReplaceAll(body, `"decimals":6`, `"decimals":"6","planted":{"apiKey":"other-secret"}`)
		body = strings.ReplaceAll(body, `"protectedApy":`, `"protectedApy":true,"more":`)
		return strings.Replace(body, `{"pools"`, `{"echo":1,"pools"`, 1)
	})
	into := filepath.Join(t.TempDir(), "lending.json")
	out, status := recorded(t, url, into, func(at string) {
		get(t, at+"/v1/pools", key)
		get(t, at+"/v1/rates", key)
		get(t, at+"/v1/pools?token="+key, key)
	})
	assert.Equal(t, statusDiffers, status, out)
	assert.Equal(t, strings.Join([]string{
		"lending GET /v1/pools: $.echo (number) is not in the sandbox's",
		"lending GET /v1/pools: $.pools[].coverageRatio (number) is in the sandbox's alone",
		"lending GET /v1/pools: $.pools[].more (number) is not in the sandbox's",
		"lending GET /v1/pools: $.pools[].planted (object) is not in the sandbox's",
		"lending GET /v1/pools: $.pools[].protectedApy is boolean, the sandbox's number",
		"3 answers recorded, the sandbox differs in 1",
	}, "\n")+"\n", out)

	raw, err := os.ReadFile(into)
	require.NoError(t, err)
	assert.NotContains(t, string(raw), key)
	assert.NotContains(t, string(raw), "other-secret")
	assert.Contains(t, string(raw), `/v1/pools?token=***`)
	assert.Contains(t, string(raw), `"X-Api-Key"`)
	again := command(t, "sandbox", "record", "--check", into)
	assert.Equal(t, statusDiffers, again.status)
	assert.Equal(t, out, again.out)
}

func TestRecordAgrees(t *testing.T) {
	url, key := realService(t, func(_, body string) string { return body })
	into := filepath.Join(t.TempDir(), "lending.json")
	out, status := recorded(t, url, into, func(at string) {
		get(t, at+"/v1/pools", key)
		get(t, at+"/v1/pools/stats", key)
	})
	assert.Zero(t, status)
	assert.Equal(t, "2 answers recorded, the sandbox differs in 0\n", out)
}

func TestRecordRefuses(t *testing.T) {
	command(t, "sandbox", "record").fails(t, statusUsage, "FILE")
	command(t, "sandbox", "record", "x").fails(t, statusUsage, "--service")
	command(t, "sandbox", "record", "--service", "lending", "--upstream", "nowhere", "x").fails(t, statusUsage, "--upstream")
	command(t, "sandbox", "record", "--service", "lending", "--upstream", "http://127.0.0.1:1", "--listen", "0.0.0.0:0", "x").
		fails(t, statusUsage, "loopback")
	unwritable := command(t, "sandbox", "record", "--service", "lending", "--upstream", "http://127.0.0.1:1", "/nonexistent/x")
	unwritable.fails(t, statusFailed, "/nonexistent/x")
	assert.Empty(t, unwritable.out, "it does not listen for what it could not keep")
	command(t, "sandbox", "record", "--check", "/nonexistent").fails(t, statusMalformed, "/nonexistent")
	command(t, "sandbox", "record", "--check", file(t, `{}`)).fails(t, statusMalformed, "fixtures")
}

func TestKinds(t *testing.T) {
	kinds := kindsOf([]byte(`{"a":[{"b":1},{"b":null,"c":"x"}],"d":true}`))
	assert.Equal(t, map[string]string{
		"$": "object", "$.a": "array", "$.a[]": "object", "$.a[].b": "null|number", "$.a[].c": "string", "$.d": "boolean",
	}, kinds)
	assert.Equal(t, map[string]string{"$": "no JSON"}, kindsOf([]byte("<html>")))
	assert.True(t, meets("null", "number"))
	assert.False(t, meets("string", "number|object"))
	assert.Equal(t, "$.a", parent("$.a[]"))
	assert.Equal(t, "$.a[]", parent("$.a[].b"))
	assert.Equal(t, "$", parent("$"))
}
