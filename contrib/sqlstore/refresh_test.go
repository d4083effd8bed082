package sqlstore_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/smartaccount"
)

const refreshVariable = "WALLETFI_SQLSTORE_REFRESH"

// refreshTask tells a process of TestOneRefresh what to do.
type refreshTask struct{ Path, URL, Service string }

// TestOneRefresh: the token that several processes share has expired. One refresh
// reaches the service, and all go on with its answer.
func TestOneRefresh(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		box, err := sandbox.Start(sandbox.Config{NoLimits: true})
		require.NoError(t, err)
		t.Cleanup(box.Close)
		tokens := e.open(t).Tokens("ann")
		signIn(t, box, tokens)
		expired, err := tokens.Load(t.Context())
		require.NoError(t, err)
		expired.Expiry = time.Now().Add(-time.Minute)
		require.NoError(t, tokens.Save(t.Context(), expired))

		refresh := sandbox.Route{Service: sandbox.SmartAccount, Method: http.MethodPost, Pattern: "/api/v1/auth/refresh"}
		box.Fault(refresh, sandbox.Fault{Delay: time.Second}) // so that all come while it runs
		task, err := json.Marshal(refreshTask{e.config.Path, e.config.URL.Reveal(), box.URL(sandbox.SmartAccount)})
		require.NoError(t, err)
		var processes sync.WaitGroup
		for range 4 {
			processes.Go(func() {
				child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRefreshingProcess$")
				child.Env = append(os.Environ(), refreshVariable+"="+string(task))
				if out, err := child.CombinedOutput(); err != nil {
					t.Errorf("the process: %v\n%s", err, out)
				}
			})
		}
		processes.Wait()
		require.Equal(t, 1, box.Hits()[refresh], "%v", box.Hits())
		renewed, err := tokens.Load(t.Context())
		require.NoError(t, err)
		require.False(t, renewed.Same(expired))
		require.True(t, renewed.Expiry.After(time.Now()))
	})
}

// signIn puts the tokens of a new account into the store.
func signIn(t *testing.T, box *sandbox.Sandbox, tokens walletfi.TokenStore) {
	t.Helper()
	client := accounts(t, box.URL(sandbox.SmartAccount), tokens)
	const email = "ann@example.com"
	_, err := client.SendEmailCode(t.Context(), email)
	require.NoError(t, err)
	code := walletfi.NewSecret(box.SmartAccount().OneTimeCode(email))
	_, err = client.VerifyEmailCode(t.Context(), smartaccount.VerifyEmailCodeRequest{Email: email, Code: code})
	require.NoError(t, err)
}

func accounts(t *testing.T, url string, tokens walletfi.TokenStore) *smartaccount.Client {
	t.Helper()
	connections := &http.Transport{}
	t.Cleanup(connections.CloseIdleConnections)
	client, err := smartaccount.New(smartaccount.Config{
		BaseURL: url, TokenStore: tokens, Options: walletfi.Options{HTTPClient: &http.Client{Transport: connections}},
	})
	require.NoError(t, err)
	return client
}

// TestRefreshingProcess is a process of TestOneRefresh: it makes a call that needs a
// token.
func TestRefreshingProcess(t *testing.T) {
	text := os.Getenv(refreshVariable)
	if text == "" {
		return // TestOneRefresh runs it in processes of their own
	}
	var task refreshTask
	require.NoError(t, json.Unmarshal([]byte(text), &task))
	store, err := sqlstore.Open(t.Context(), engineConfig(task.Path, task.URL))
	require.NoError(t, err)
	defer store.Close()
	client := accounts(t, task.Service, store.Tokens("ann"))
	token, err := client.Token(t.Context())
	require.NoError(t, err)
	require.True(t, token.Expiry.After(time.Now()))
	fmt.Println("has a token")
}
