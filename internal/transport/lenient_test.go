package transport

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/declared"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/observe"
)

type priced struct {
	Price walletfi.Decimal `json:"price" wire:"said,min=0"`
}

// TestLenient: what decides and is not as declared makes no answer, unless the options name
// the member; then the observer is notified once.
func TestLenient(t *testing.T) {
	call := callOf(Read)
	call.Answer = Says("id:id")
	bodies := []string{`{"id":1}`, `{"id":1,"price":"50%"}`, `{"id":1,"price":-1}`, `{"id":1,"price":1,"price":2}`}
	for _, body := range bodies {
		_, err := Do[priced](t.Context(), clientOf(t, serve(reply(200, body))), call, nil)
		require.ErrorIs(t, err, walletfi.ErrDecode, body)
		require.ErrorContains(t, err, "priced.price decides")
		told := recorded.New(t)
		client := clientOf(t, serve(reply(200, body), reply(200, body)), observedBy(told),
			func(cfg *Config) { cfg.Options.Lenient = []string{"priced.price"} })
		for range 2 {
			_, err = Do[priced](t.Context(), client, call, nil)
			require.NoError(t, err, body)
		}
		events := recorded.Events[observe.Drift](told)
		require.Len(t, events, 1)
		assert.Equal(t, "priced.price", events[0].Member)
		assert.NotEmpty(t, events[0].Fault)
	}
	declared := callOf(Read)
	declared.Answer = Says("id:id", "price:number")
	for body, lets := range map[string]bool{`{"id":1}`: true, `{"id":1,"price":"soon"}`: true, `{"price":1}`: false, `{"id":1,"price":1,"price":1}`: false} {
		client := clientOf(t, serve(reply(200, body)), func(cfg *Config) { cfg.Options.Lenient = []string{"priced.price"} })
		_, err := Do[priced](t.Context(), client, declared, nil)
		require.Equal(t, lets, err == nil, "%s: %v", body, err)
	}
	for _, name := range []string{"", "price", "priced.", ".price"} {
		_, err := New(Config{Service: "test", BaseURL: testBase, Options: walletfi.Options{Lenient: []string{name}}})
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest, "%q", name)
	}
}

// TestUnreadIsObserved: an answer without a documented shape is kept although a member does
// not fit. The observer is notified once, of which one and why.
func TestUnreadIsObserved(t *testing.T) {
	for _, answer := range []declared.Answer{Open(NoShape), Silent("nothing is promised")} {
		call := callOf(Read)
		call.Answer = answer
		told := recorded.New(t)
		const body = `{"price":-1,"other":"kept"}`
		client := clientOf(t, serve(reply(200, body), reply(200, body), reply(200, `{"price":1}`)), observedBy(told))
		for range 2 {
			got, err := Do[priced](t.Context(), client, call, nil)
			require.NoError(t, err)
			require.Equal(t, &priced{}, got)
		}
		_, err := Do[priced](t.Context(), client, call, nil)
		require.NoError(t, err)
		events := recorded.Events[observe.Drift](told)
		require.Len(t, events, 1)
		require.Equal(t, "price", events[0].Member)
		require.Contains(t, events[0].Fault, "out of range")
	}
}
