package rows

import (
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/bench/internal/turns"
)

// accountServer answers every request with the account, over TLS.
func accountServer() *httptest.Server {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(account)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	return server
}

// trust makes the system's roots those of the test servers, before anything has
// asked for them: so the clients' own transport can be measured.
var trust = sync.OnceValue(func() error {
	server := accountServer()
	defer server.Close()
	file, err := os.CreateTemp("", "roots-*.pem")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	if err := pem.Encode(file, &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}); err != nil {
		return err
	}
	os.Setenv("SSL_CERT_FILE", file.Name())
	os.Setenv("SSL_CERT_DIR", "/nonexistent")
	// The roots are read once, at the first handshake.
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get(server.URL)
	if err != nil {
		return err
	}
	return response.Body.Close()
})

const callers = 64

// overTLS is the time of a call when 64 goroutines call a server that has not been
// called before, for the time of a turn. By hand a program has 100 idle connections.
func overTLS(e Effort) (Figure, error) {
	if err := trust(); err != nil {
		return Figure{}, err
	}
	server := accountServer()
	defer func() { server.Close() }()
	plan := turns.Plan{Turns: max(1, e.Turns/3), Turn: 100 * e.Turn, Clock: turns.Wall, Before: func() error {
		server.Close()
		server = accountServer()
		return nil
	}}
	cold := func(make func(base string) (getAccount, error)) turns.Work {
		return func(n int) error {
			call, err := make(server.URL)
			if err != nil {
				return err
			}
			return concurrently(callers, func() error { return answered(call) })(n)
		}
	}
	hundred := &http.Transport{MaxIdleConns: 100, MaxIdleConnsPerHost: 100, IdleConnTimeout: 90 * time.Second}
	defer hundred.CloseIdleConnections()
	return overSecond(turns.Run(plan,
		turns.Contender{
			Name: "walletfi",
			Work: cold(func(base string) (getAccount, error) { return walletfiCall(nil, base) }),
		},
		turns.Contender{
			Name: "net/http, 100 idle connections",
			Work: cold(func(base string) (getAccount, error) { return handCall(hundred, base), nil }),
		},
		turns.Contender{
			Name: "net/http's default client",
			Work: cold(func(base string) (getAccount, error) { return handCall(http.DefaultTransport, base), nil }),
		},
	))
}

// concurrently is work that so many goroutines share.
func concurrently(goroutines int, operation func() error) turns.Work {
	return func(n int) error {
		errs := make(chan error, goroutines)
		for g := range goroutines {
			share := n / goroutines
			if g < n%goroutines {
				share++
			}
			go func() { errs <- each(operation)(share) }()
		}
		var failed error
		for range goroutines {
			if err := <-errs; err != nil {
				failed = err
			}
		}
		return failed
	}
}
