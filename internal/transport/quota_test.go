package transport

import (
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// calls makes n reads and returns how many attempts they took.
func calls(t *testing.T, client *Client, service *memory, n int) int {
	t.Helper()
	before := len(service.requests())
	for range n {
		Do[result](t.Context(), client, callOf(Read), nil)
	}
	return len(service.requests()) - before
}

// TestQuotaInAnOutage: repeats do not multiply the load of a service that is
// down.
func TestQuotaInAnOutage(t *testing.T) {
	for name, down := range map[string]step{"500": reply(500, ""), "reset": fail(reset), "refused": fail(refused), "stall": stall} {
		inBubble(name, t, func(t *testing.T) {
			service := serve(down)
			client := clientOf(t, service)
			const n = 101
			attempts := calls(t, client, service, n)
			assert.Equal(t, n+10, attempts, "ten repeats to begin with")
			assert.Less(t, float64(attempts)/n, 1.1)
		})
	}
}

// TestQuotaIsEarned: a tenth of a repeat by each success, ten at most.
func TestQuotaIsEarned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := serve(reply(500, ""))
		client := clientOf(t, service)
		require.Equal(t, 30, calls(t, client, service, 20), "spends all")
		service.steps = []step{reply(200, success)}
		require.Equal(t, 35, calls(t, client, service, 35))
		service.steps = []step{reply(500, "")}
		assert.Equal(t, 23, calls(t, client, service, 20), "earned three and a half")
		service.steps = []step{reply(200, success)}
		require.Equal(t, 500, calls(t, client, service, 500))
		service.steps = []step{reply(500, "")}
		assert.Equal(t, 30, calls(t, client, service, 20), "ten at most")
	})
}

// TestQuotaAndLimits: to wait as the service asked costs nothing, to guess how
// long to wait costs as any repeat.
func TestQuotaAndLimits(t *testing.T) {
	for name, c := range map[string]struct {
		limit    step
		attempts int
	}{
		"stated":     {reply(429, "", "Retry-After", "1"), 4 * 50},
		"not stated": {reply(429, ""), 50 + 10},
		"by code":    {reply(400, withCode, "Retry-After", "1"), 4 * 50},
	} {
		inBubble(name, t, func(t *testing.T) {
			service := serve(c.limit)
			assert.Equal(t, c.attempts, calls(t, clientOf(t, service), service, 50))
		})
	}
}

// TestTenthsOfTheQuota: nine successes do not pay for a repeat, ten do, and more than
// ten repeats are never saved.
func TestTenthsOfTheQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down, up := []step{reply(500, "")}, []step{reply(200, success)}
		service := serve(down...)
		client := clientOf(t, service)
		require.Equal(t, 30, calls(t, client, service, 20))
		after := func(successes, repeats int) {
			t.Helper()
			service.steps = up
			require.Equal(t, successes, calls(t, client, service, successes))
			service.steps = down
			require.Equal(t, 20+repeats, calls(t, client, service, 20))
		}
		after(9, 0)
		after(1, 1)
		after(10, 1)
		after(300, 10)
		after(9, 0)
	})
}

// TestWhatEarnsQuota: a service that answers, even that there is nothing left to
// delete, or what cannot be read.
func TestWhatEarnsQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		remove := callOf(Set)
		remove.Method, remove.Body, remove.Answer = http.MethodDelete, nil, Silent("a test")
		for name, c := range map[string]struct {
			call  Call
			steps []step
			left  int // tenths
		}{
			"a success":                    {callOf(Read), []step{reply(500, ""), reply(200, success)}, 91},
			"deleted before":               {remove, []step{reply(500, ""), reply(404, "")}, 91},
			"garbage":                      {callOf(Read), []step{reply(500, ""), reply(200, garbage)}, 91},
			"a refusal in a success":       {callOf(Read), []step{reply(500, ""), reply(200, `{"error":1}`)}, 90},
			"a refusal":                    {callOf(Read), []step{reply(500, ""), reply(400, "")}, 90},
			"a limit that is stated":       {callOf(Read), []step{reply(429, "", "Retry-After", "1"), reply(400, "")}, 100},
			"a limit by code, stated":      {callOf(Read), []step{reply(400, withCode, "Retry-After", "1"), reply(400, "")}, 100},
			"a limit by code":              {callOf(Read), []step{reply(400, withCode), reply(400, "")}, 90},
			"an outage whose end is known": {callOf(Read), []step{reply(503, "", "Retry-After", "1"), reply(400, "")}, 90},
		} {
			client := clientOf(t, serve(c.steps...), accepting)
			DoEmpty(t.Context(), client, c.call, nil)
			require.Equal(t, c.left, client.quota.tenths, name)
		}
	})
}
