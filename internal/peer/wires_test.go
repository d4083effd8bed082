package peer_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/internal/wsconn"
	"github.com/walletfi/walletfi-go/rpcnode"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// key is a credential that every escape changes.
const key = `ab/cd+Kanary&42<x`

// ending is the result of a call over a wire.
type ending struct {
	err   error
	shown string // all that the error shows of the answer
}

// wires are the three ways in which the SDK speaks to a peer. Each calls host
// "localhost" through dialler until it succeeds, fails for good or gives up.
var wires = map[string]func(t *testing.T, dialler *http.Transport) ending{
	"transport": overTransport, "wsconn": overWebSocket, "rpcnode": overRPC,
}

func overTransport(t *testing.T, dialler *http.Transport) ending {
	client, err := transport.New(transport.Config{
		Service: "test", BaseURL: "http://localhost", Auth: transport.HeaderKey("X-Api-Key", "", walletfi.NewSecret(key)),
		Options: walletfi.Options{HTTPClient: &http.Client{Transport: dialler}},
	})
	require.NoError(t, err)
	call := transport.Call{Op: "Do", Effect: transport.Read, Answer: transport.Silent("a test"), Method: http.MethodGet, Path: transport.Path("/v1")}
	err = transport.DoEmpty(t.Context(), client, call, nil)
	end := ending{err: err}
	if r, ok := errors.AsType[*walletfi.ResponseError](err); ok {
		end.shown = err.Error() + string(r.Body)
	}
	return end
}

func overRPC(t *testing.T, dialler *http.Transport) ending {
	node, err := rpcnode.New(rpcnode.Config{
		URL: walletfi.NewSecret("http://localhost"), Header: map[string]walletfi.Secret{"X-Api-Key": walletfi.NewSecret(key)},
		HTTPClient: &http.Client{Transport: dialler},
	})
	require.NoError(t, err)
	_, err = node.BlockHeight(t.Context())
	end := ending{err: err}
	if r, ok := errors.AsType[*rpcnode.Error](err); ok {
		end.shown = err.Error() + string(r.Data)
	}
	return end
}

// overWebSocket gives up after as many attempts as the others make.
func overWebSocket(t *testing.T, dialler *http.Transport) ending {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	downs := &downs{cancel: cancel}
	conn, err := wsconn.New(wsconn.Config{
		URL: "ws://localhost", Transport: dialler, MaxBackoff: time.Second,
		Header: func(context.Context) (http.Header, error) { return http.Header{"X-Api-Key": {key}}, nil },
	}, downs)
	require.NoError(t, err)
	if err = conn.Run(ctx); errors.Is(err, context.Canceled) {
		err = downs.last
	}
	end := ending{err: err}
	if h, ok := errors.AsType[*wsconn.HandshakeError](err); ok {
		end.shown = err.Error() + string(h.Body)
	}
	return end
}

// downs ends a connection that fails too often.
type downs struct {
	cancel context.CancelFunc
	count  int
	last   error
}

func (*downs) Message([]byte) {}
func (*downs) Gap(wsconn.Gap) {}
func (*downs) Up()            {}
func (*downs) Reached(uint64) {}
func (d *downs) Down(err error, _ time.Duration) {
	d.last = err
	if d.count++; d.count == 4 {
		d.cancel()
	}
}

// answers is a peer that answers every request alike and notes when they come.
type answers struct {
	status int
	header map[string]string
	body   string

	mu   sync.Mutex
	came []time.Time
}

func (a *answers) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	a.mu.Lock()
	a.came = append(a.came, time.Now())
	a.mu.Unlock()
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(a.status)
	_, _ = w.Write([]byte(a.body))
}

// serve starts a peer in memory.
func (a *answers) serve(t *testing.T) *http.Transport { return wiretest.InMemory(t, a) }

// failing is a dialler that fails with err, and counts.
func failing(err error) (dialler *http.Transport, dials *int) {
	dials = new(int)
	return &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		*dials++
		return nil, err
	}}, dials
}
