package webhooks_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

const destination = "https://example.com/hook"

var (
	secret  = walletfi.NewSecret("whsec_1")
	today   = time.Unix(1_767_225_600, 0)
	evmBody = []byte(`{"webhookId":"wh_1","network":"n","timestamp":1767225600,"blockNumber":7,"blockHash":"0x00000000000000000000000000000000000000000000000000000000000000b1","transactions":[]}`)
	errDown = errors.New("the database is down")
)

func fixed() time.Time { return today }

// signer signs with the rig's secret at its time.
var signer = webhooks.DeliverySigner{Secret: secret, Now: fixed}

// rig is a receiver and what its parts were asked.
type rig struct {
	*webhooks.Receiver
	seen *store

	mu      sync.Mutex
	runs    []*webhooks.Delivery // of the handler
	handler webhooks.Handler     // nil succeeds
}

// newRig makes a receiver whose parts succeed.
func newRig(t *testing.T, change func(*rig, *webhooks.ReceiverConfig)) *rig {
	t.Helper()
	r := &rig{seen: &store{}}
	cfg := webhooks.ReceiverConfig{
		Verifier:   webhooks.Verifier{Secrets: []walletfi.Secret{secret}, Now: fixed},
		Seen:       r.seen,
		Handler:    r.handle,
		DeadLetter: r.deadLetter,
	}
	if change != nil {
		change(r, &cfg)
	}
	receiver, err := webhooks.NewReceiver(cfg)
	require.NoError(t, err)
	r.Receiver = receiver
	return r
}

func (r *rig) handle(ctx context.Context, d *webhooks.Delivery) error {
	r.mu.Lock()
	r.runs = append(r.runs, d)
	handler := r.handler
	r.mu.Unlock()
	if handler == nil {
		return nil
	}
	return handler(ctx, d)
}

func (r *rig) deadLetter(context.Context, *webhooks.Delivery, error) error { return nil }

func (r *rig) ran() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.runs)
}

// gets is the status of a request's answer.
func (r *rig) gets(req *http.Request) int {
	w := httptest.NewRecorder()
	r.ServeHTTP(w, req)
	return w.Code
}

// store is a Seen that remembers how it was asked.
type store struct {
	mu     sync.Mutex
	until  map[string]time.Time
	during func(ctx context.Context) // in Commit
}

func (s *store) Seen(_ context.Context, key string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.until[key]
	return ok, nil
}

func (s *store) Commit(ctx context.Context, key string, until time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.during != nil {
		s.during(ctx)
	}
	if s.until == nil {
		s.until = map[string]time.Time{}
	}
	s.until[key] = until
	return nil
}

func (s *store) committed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.until)
}
