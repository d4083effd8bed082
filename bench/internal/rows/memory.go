package rows

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
)

func memories() []Row {
	return []Row{
		{Group: "Memory", Name: "body past the cap of 8 MiB", Unit: "x the cap", Goal: 2, Bound: 2, Measure: pastTheCap},
		{Group: "Memory", Name: "idle client, of 10,000", Unit: "KB", Goal: 2, Bound: 2, Measure: idleClients},
	}
}

// endless is a body that does not say how long it is.
type endless struct{}

func (endless) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode:    http.StatusOK,
		Request:       r,
		ContentLength: -1,
		Header:        http.Header{},
		Body:          io.NopCloser(blanks{}),
	}, nil
}

type blanks struct{}

var blank = bytes.Repeat([]byte{' '}, 32<<10)

func (blanks) Read(b []byte) (int, error) { return copy(b, blank), nil }

// pastTheCap is all that a call allocates whose answer is past the cap.
func pastTheCap(Effort) (Figure, error) {
	const most = 8 << 20
	client, err := lending.New(lending.Config{BaseURL: base, APIKey: walletfi.NewSecret(key), Options: walletfi.Options{
		HTTPClient: &http.Client{Transport: endless{}}, MaxResponseBytes: most,
		Retry: walletfi.RetryPolicy{MaxRetries: new(0)},
	}})
	if err != nil {
		return Figure{}, err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = client.GetAccount(context.Background(), owner)
	runtime.ReadMemStats(&after)
	if err == nil || errors.Is(err, walletfi.ErrNotFound) {
		return Figure{}, errors.New("the body was taken")
	}
	return Figure{Value: float64(after.TotalAlloc-before.TotalAlloc) / most}, nil
}

// idleClients measures the memory of a client that was used once.
func idleClients(Effort) (Figure, error) {
	const n = 10_000
	kept := make([]*lending.Client, n)
	before, goroutines := heap(), runtime.NumGoroutine()
	for i := range kept {
		client, err := lending.New(lending.Config{BaseURL: base, APIKey: walletfi.NewSecret(key)})
		if err != nil {
			return Figure{}, err
		}
		kept[i] = client
	}
	after := heap()
	if more := runtime.NumGoroutine() - goroutines; more > 0 {
		return Figure{}, errors.New("idle clients have goroutines")
	}
	runtime.KeepAlive(kept)
	return Figure{Value: float64(after-before) / n / 1000}, nil
}

func heap() uint64 {
	var m runtime.MemStats
	for range 2 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
