package transport

import (
	"bytes"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/race"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// TestFrames bounds how deep the pipeline is, from run to the round tripper,
// both counted.
func TestFrames(t *testing.T) {
	const most = 11
	depth := 0
	client := clientOf(t, tripper(func(r *http.Request) (*http.Response, error) {
		callers := make([]uintptr, 64)
		frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
		for more := true; more; {
			var frame runtime.Frame
			frame, more = frames.Next()
			depth++
			if strings.HasSuffix(frame.Function, "(*Client).run") {
				break
			}
			require.True(t, more, "run is not below the round tripper")
		}
		return reply(200, success)(r)
	}))
	_, err := Do[result](t.Context(), client, callOf(Read), nil)
	require.NoError(t, err)
	assert.LessOrEqual(t, depth, most)
	assert.Greater(t, depth, 5, "the frames were not counted")
}

// TestAllocations bounds what a call allocates beyond what the round tripper
// and the decoder do; other tests of the package add some now and then. The bench module holds a whole call of a client to 50.
func TestAllocations(t *testing.T) {
	const most = 26
	body := []byte(success)
	response := func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{"Date": {"Mon, 02 Jan 2006 15:04:05 GMT"}},
			Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: r}, nil
	}
	client := clientOf(t, tripper(response), func(cfg *Config) {
		cfg.Auth = HeaderKey("x-api-key", "", walletfi.NewSecret("key-0123456789"))
	})
	service := testing.AllocsPerRun(100, func() { response(nil) })
	decoder := testing.AllocsPerRun(100, func() {
		if wire.Decode(body, new(result)) != nil {
			t.Error("not decoded")
		}
	})
	call := callOf(Read)
	whole := testing.AllocsPerRun(100, func() {
		if _, err := Do[result](t.Context(), client, call, nil); err != nil {
			t.Error(err)
		}
	})
	t.Logf("%v allocations of a call are the pipeline's", whole-service-decoder)
	assert.LessOrEqual(t, whole-service-decoder, float64(most))
}

// TestBodyTakesTwiceTheCap at most, past the cap and just under it, for caps of any
// size.
func TestBodyTakesTwiceTheCap(t *testing.T) {
	for _, most := range []int64{1 << 20, 2 << 20, 4 << 20, 8 << 20} {
		for _, expected := range []int64{-1, 100, 1 << 40} {
			past := allocated(func() {
				body, err := readWithin(endless{}, most, expected)
				assert.Equal(t, errTooLarge, err)
				assert.LessOrEqual(t, len(body), 4<<10)
			})
			require.LessOrEqual(t, past, uint64(2*most*race.Factor), "past a cap of %d", most)
			under := allocated(func() {
				body, err := readWithin(zeros(most), most, expected)
				assert.NoError(t, err)
				assert.Len(t, body, int(most))
			})
			require.LessOrEqual(t, under, uint64((2*most+most/4)*race.Factor), "of %d", most)
		}
	}
}
