package transport

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// TestBeforeRepeat: a call can look for what became of a lost attempt. It is
// asked only where one may have been carried out, and its no is final.
func TestBeforeRepeat(t *testing.T) {
	landed := errors.New("it landed")
	for name, c := range map[string]struct {
		first    step
		says     error
		asked    int
		attempts int
	}{
		"lost, go on":       {stall, nil, 1, 2},
		"lost, landed":      {stall, landed, 1, 1},
		"an error of 502":   {reply(502, ""), landed, 1, 1},
		"not sent":          {fail(refused), landed, 0, 2},
		"refused by limits": {reply(429, ""), landed, 0, 2},
	} {
		t.Run(name, func(t *testing.T) {
			service := serve(c.first, reply(200, success))
			call, asked := callOf(Relay), 0
			call.BeforeRepeat = func(context.Context) error { asked++; return c.says }
			err := run(t, service, call)
			assert.Equal(t, c.asked, asked)
			assert.Len(t, service.requests(), c.attempts)
			if c.attempts == 2 {
				require.NoError(t, err)
				return
			}
			assert.ErrorIs(t, err, landed)
			assert.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "it is the caller of the pipeline who knows better")
		})
	}
}
