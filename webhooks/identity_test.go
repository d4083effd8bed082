package webhooks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/bodies"
	"github.com/walletfi/walletfi-go/observe"
)

func keyOf(webhook, place string, body []byte) string {
	sum := sha256.Sum256(body)
	return webhook + "/" + place + "/" + hex.EncodeToString(sum[:])
}

// A key is made when it is asked for, and is then the same in every process.
func TestKeyIsMadeWhenAskedFor(t *testing.T) {
	body := []byte(bodies.EVM(1))
	d := ParseDelivery(body)
	require.Empty(t, d.id.text)
	copied := *d
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() { d.Key() })
	}
	asking.Wait()
	want := keyOf(d.WebhookID, d.EVM.BlockHash, body)
	require.Equal(t, want, d.Key())
	require.Equal(t, want, copied.Key())
	require.Equal(t, "mine", (&Delivery{id: identified("mine")}).Key())
	require.Empty(t, (&Delivery{}).Key())
}

// A name depends on the whole body, and does not say what the key says.
func TestNames(t *testing.T) {
	body := []byte(bodies.EVM(2))
	name := ParseDelivery(body).id.name()
	require.Len(t, name, 16)
	require.Equal(t, name, ParseDelivery(append([]byte{}, body...)).id.name())
	for i := range body {
		body[i] ^= 1
		require.NotEqual(t, name, (&identity{body: body}).name(), i)
		body[i] ^= 1
	}
	require.NotEqual(t, name, (&identity{body: append(body, ' ')}).name())
	require.NotContains(t, ParseDelivery(body).Key(), hex.EncodeToString([]byte(name)))
}

// A receiver names its deliveries itself if only its own memory hears of them. In
// every receiver a delivery that is signed again is a duplicate.
func TestWhoNames(t *testing.T) {
	secret := walletfi.NewSecret("whsec_1")
	body := []byte(bodies.EVM(1))
	key := ParseDelivery(body).Key()
	for name, row := range map[string]struct {
		change func(*ReceiverConfig)
		own    bool
		want   string
	}{
		"in memory":    {change: func(*ReceiverConfig) {}, own: true},
		"with a queue": {change: func(c *ReceiverConfig) { c.Queue, c.DeadLetter = 1, lost }, own: true},
		"a store":      {change: func(c *ReceiverConfig) { c.Seen = &MemorySeen{} }, want: key},
		"an inbox":     {change: func(c *ReceiverConfig) { c.Inbox = &MemoryInbox{} }, want: key},
		"a key":        {change: func(c *ReceiverConfig) { c.Key = func(*Delivery) string { return "mine" } }, want: "mine"},
		"an empty key": {change: func(c *ReceiverConfig) { c.Key = func(*Delivery) string { return "" } }, want: key},
		"an observer":  {change: func(c *ReceiverConfig) { c.Observer = observe.None{} }, want: key},
	} {
		t.Run(name, func(t *testing.T) {
			handled := make(chan *Delivery, 4)
			cfg := ReceiverConfig{
				Verifier: Verifier{Secrets: []walletfi.Secret{secret}},
				Handler:  func(_ context.Context, d *Delivery) error { handled <- d; return nil },
			}
			row.change(&cfg)
			r, err := NewReceiver(cfg)
			require.NoError(t, err)
			for i := range 2 {
				w := httptest.NewRecorder()
				at := time.Now().Add(-time.Duration(i) * time.Minute)
				r.ServeHTTP(w, DeliverySigner{Secret: secret}.RequestAt("https://example.com", body, at))
				require.Equal(t, http.StatusOK, w.Code)
				if i == 0 {
					d := <-handled
					if row.own {
						require.Len(t, d.name, 16)
						row.want = key
					} else {
						require.Equal(t, row.want, d.name)
					}
					require.Equal(t, row.want, d.Key())
				}
			}
			require.NoError(t, r.Close(t.Context()))
			require.Empty(t, handled, "a duplicate was handled")
		})
	}
}

func lost(context.Context, *Delivery, error) error { return nil }

// Each process has names of its own, and where it may not make them, the key is the
// name.
func TestNamesAreTheProcesss(t *testing.T) {
	one, two := newBodyHash(), newBodyHash()
	body := []byte(bodies.EVM(1))
	d := ParseDelivery(body)
	require.NotEqual(t, d.id.nameBy(one), d.id.nameBy(two))
	require.Equal(t, d.id.nameBy(one), d.id.nameBy(one))
	require.Equal(t, d.Key(), d.id.nameBy(nil))
}
