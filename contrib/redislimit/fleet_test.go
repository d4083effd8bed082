package redislimit_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/ratelimit"
)

var fleetLong = flag.Bool("fleet.long", false, "TestFleet with windows of a minute")

const processes = 16

// load is a budget that all processes use up together.
type load struct {
	Name    string // what is documented
	Budget  ratelimit.Budget
	Workers int // in each process
}

// loads are the documented budgets, the two long ones with shorter windows.
func loads() []load {
	minute, quarter, day := 2*time.Second, 3*time.Second, 10*time.Second
	if *fleetLong {
		minute, quarter, day = time.Minute, time.Minute, time.Minute
	}
	return []load{
		{"60/min", ratelimit.Budget{Requests: 60, Per: minute}, 4},
		{"1/1.5s", ratelimit.Budget{Requests: 1, Per: 1500 * time.Millisecond}, 1},
		{"300/15min", ratelimit.Budget{Requests: 300, Per: quarter}, 4},
		{"10000/day", ratelimit.Budget{Requests: 10_000, Per: day}, 8},
	}
}

// task describes the work of a process of the fleet.
type task struct {
	Mode  string // "idle", "redislimit" or "redis_rate"
	Redis string
	Judge string
	Key   string
	Loads []load
	For   time.Duration
}

// judge is a service that counts, in a process of its own.
type judge struct {
	mu       sync.Mutex
	arrivals map[string][]time.Time
}

func (j *judge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	j.mu.Lock()
	j.arrivals[r.URL.Path] = append(j.arrivals[r.URL.Path], time.Now())
	j.mu.Unlock()
	<-time.After(time.Duration(rand.Int64N(int64(2 * time.Millisecond))))
	w.WriteHeader(http.StatusNoContent)
}

// count says how many requests were over in a window, the most that one window saw, and
// how closely each request followed the one that had its slot before, 1 at best.
func (j *judge) count(l load) (over, most int, utilisation float64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	all := j.arrivals["/"+l.Name]
	slices.SortFunc(all, time.Time.Compare)
	n, first := l.Budget.Requests, 0
	var apart time.Duration
	for i, at := range all {
		for at.Sub(all[first]) > l.Budget.Per {
			first++
		}
		most = max(most, i-first+1)
		if i >= n {
			apart += at.Sub(all[i-n])
			if at.Sub(all[i-n]) <= l.Budget.Per {
				over++
			}
		}
	}
	if pairs := len(all) - n; pairs > 0 {
		utilisation = l.Budget.Per.Seconds() * float64(pairs) / apart.Seconds()
	}
	return over, most, utilisation
}

// TestFleet has 16 processes use up four budgets, and counts at the service.
func TestFleet(t *testing.T) {
	addr := address(t)
	j := &judge{arrivals: map[string][]time.Time{}}
	service := httptest.NewServer(j)
	defer service.Close()
	of := func(mode string, loads []load, d time.Duration) []time.Duration {
		return runFleet(t, task{Mode: mode, Redis: addr, Judge: service.URL, Key: unique(t), Loads: loads, For: d})
	}

	idle := of("idle", []load{{"idle", ratelimit.Budget{Requests: 1_000_000, Per: time.Minute}, 1}}, 3*time.Second)
	p50, p99 := percentile(idle, 50), percentile(idle, 99)
	t.Logf("%d uncontended permits of %d processes: p50=%v p99=%v", len(idle), processes, p50, p99)

	all, length := loads(), 21*time.Second
	if *fleetLong {
		length = 3*time.Minute + 5*time.Second
	}
	of("redislimit", all, length)
	over, worst := 0, 1.0
	for _, l := range all {
		o, most, utilisation := j.count(l)
		t.Logf("redislimit %-9s as %5d in %v: over=%d, most in a window %d, utilisation %.4f", l.Name, l.Budget.Requests, l.Budget.Per, o, most, utilisation)
		over += o
		if most < l.Budget.Requests/2 && l.Budget.Requests > 1000 {
			continue // others use the machine: it cannot use up so much
		}
		worst = min(worst, utilisation)
		require.Positive(t, utilisation, "the budget was never used up")
	}

	rated := []load{all[0], all[2]}
	for i := range rated {
		rated[i].Name = "redis_rate " + rated[i].Name
	}
	of("redis_rate", rated, 2*rated[1].Budget.Per)
	for _, l := range rated {
		o, most, _ := j.count(l)
		t.Logf("%s as %d in %v: over=%d, most in a window %d", l.Name, l.Budget.Requests, l.Budget.Per, o, most)
	}

	fmt.Printf("over=%d utilisation=%.4f p99=%v\n", over, worst, p99)
	require.Zero(t, over)
	// Wide bounds, as other programs may use the machine; the line has the figures.
	require.Greater(t, worst, 0.25) // the machine may give the largest budget half of what it needs
	require.Less(t, p50, 100*time.Millisecond)
}

func percentile(all []time.Duration, p int) time.Duration {
	slices.Sort(all)
	return all[len(all)*p/100].Round(time.Microsecond)
}

// runFleet runs the processes to their end, and returns how long their permits took.
func runFleet(t *testing.T, job task) []time.Duration {
	t.Helper()
	text, err := json.Marshal(job)
	require.NoError(t, err)
	var all sync.WaitGroup
	errs, took := make([]error, processes), make([][]time.Duration, processes)
	for p := range processes {
		all.Go(func() {
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFleetProcess$")
			child.Env = append(os.Environ(), childVariable+"="+string(text))
			child.Stderr = os.Stderr
			out, err := child.Output()
			if err == nil {
				err = json.Unmarshal([]byte(strings.SplitN(string(out), "\n", 2)[0]), &took[p])
			}
			if err != nil {
				errs[p] = fmt.Errorf("process %d: %w: %s", p, err, out)
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	return slices.Concat(took...)
}

// request calls the judge.
func request(ctx context.Context, client *http.Client, url string) (sent bool) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	response, err := client.Do(r)
	if err != nil {
		return true // it may have been
	}
	_ = response.Body.Close()
	return true
}
