package socialsearch_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/socialsearch"
)

func meter(t *testing.T, budget socialsearch.Cost) *socialsearch.Meter {
	t.Helper()
	m, err := socialsearch.NewMeter(socialsearch.MeterConfig{Budget: budget})
	require.NoError(t, err)
	return m
}

func gm() socialsearch.SearchRequest {
	return socialsearch.SearchRequest{Query: socialsearch.NewQuery(socialsearch.Keyword("gm"))}
}

// TestSpendIsTold: the observer learns what each call cost, also of a meter without a
// budget.
func TestSpendIsTold(t *testing.T) {
	s := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"data":[{"id":"1"},{"id":"2"},{"id":"3"}]}`)
	})
	for budget, left := range map[socialsearch.Cost][]int64{100_000: {85_000, 70_000}, 0: {-1, -1}} {
		told := recorded.New(t)
		c, err := socialsearch.New(socialsearch.Config{
			BaseURL: s.URL, BearerToken: walletfi.NewSecret("t-123456"), Spend: meter(t, budget),
			Options: walletfi.Options{Observer: told},
		})
		require.NoError(t, err)
		for range 2 {
			require.NoError(t, wiretest.Error(c.SearchRecent(t.Context(), gm())))
		}
		one := observe.Spent{Service: "socialsearch", Op: "SearchRecent", Micros: 15_000, Total: 15_000, Remaining: left[0]}
		two := observe.Spent{Service: "socialsearch", Op: "SearchRecent", Micros: 15_000, Total: 30_000, Remaining: left[1]}
		require.Equal(t, []observe.Spent{one, two}, recorded.Events[observe.Spent](told))
	}
}

func TestSpendRefusesBeforeItWouldBeExceeded(t *testing.T) {
	s := wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/2/users/") {
			io.WriteString(w, `{"data":{"id":"u1"}}`)
			return
		}
		io.WriteString(w, `{"data":[{"id":"1"}]}`)
	})
	m := meter(t, 54_999) // ten posts at 0.005 may come, and then one more call
	c := client(t, s.URL, m)
	require.NoError(t, wiretest.Error(c.SearchRecent(t.Context(), gm())))
	_, err := c.SearchRecent(t.Context(), gm())
	require.ErrorIs(t, err, socialsearch.ErrSpendBudget)
	require.ErrorContains(t, err, "it could cost 0.05, and 0.049999 of 0.054999 is left")
	require.Len(t, s.Requests(), 1, "nothing was sent")
	require.Equal(t, socialsearch.CostPostRead, m.Spent())
	require.NoError(t, wiretest.Error(c.GetUserByUsername(t.Context(), "ann")), "a look-up still fits")
	require.Equal(t, "0.015", m.Spent().String())
}

func TestSpendHoldsForParallelCalls(t *testing.T) {
	var served atomic.Int64
	s := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		served.Add(1)
		io.WriteString(w, `{"data":[{"id":"1"},{"id":"2"},{"id":"3"},{"id":"4"},{"id":"5"},{"id":"6"},{"id":"7"},{"id":"8"},{"id":"9"},{"id":"10"}]}`)
	})
	m := meter(t, 10*50_000)
	c := client(t, s.URL, m)
	var wg sync.WaitGroup
	var refused atomic.Int64
	for range 40 {
		wg.Go(func() {
			if _, err := c.SearchRecent(t.Context(), gm()); errors.Is(err, socialsearch.ErrSpendBudget) {
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	require.Equal(t, int64(10), served.Load())
	require.Equal(t, int64(30), refused.Load())
	require.Equal(t, socialsearch.Cost(500_000), m.Spent())
}

func TestPaidReadsAreNotRepeatedUnlessAsked(t *testing.T) {
	s := wiretest.Serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	for _, asked := range []bool{false, true} {
		before := len(s.Requests())
		m := meter(t, 0)
		c, err := socialsearch.New(socialsearch.Config{
			BaseURL: s.URL, BearerToken: walletfi.NewSecret("b-123456"), Spend: m, RetryPaidReads: asked,
			Options: walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(2), MinWait: 1}},
		})
		require.NoError(t, err)
		require.Error(t, wiretest.Error(c.SearchRecent(t.Context(), gm())))
		want := 1
		if asked {
			want = 3
		}
		require.Len(t, s.Requests()[before:], want)
		require.Equal(t, socialsearch.Cost(want)*10*socialsearch.CostPostRead, m.Spent(), "retries count")
	}
}

func TestUsageCap(t *testing.T) {
	remaining := "7"
	s := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("x-rate-limit-remaining", remaining)
		w.Header().Set("x-rate-limit-reset", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	c, err := socialsearch.New(socialsearch.Config{
		BaseURL: s.URL, BearerToken: walletfi.NewSecret("b-123456"),
		Options: walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(1), MinWait: 1}},
	})
	require.NoError(t, err)
	_, err = c.SearchRecent(t.Context(), gm())
	require.ErrorIs(t, err, socialsearch.ErrUsageCap)
	require.ErrorIs(t, err, walletfi.ErrRateLimited)
	capped := wiretest.As[*socialsearch.UsageCapError](t, err)
	require.Equal(t, http.StatusTooManyRequests, capped.Response.StatusCode)
	require.Len(t, s.Requests(), 1, "waiting does not cure it")
	remaining = "0"
	_, err = c.GetPost(t.Context(), "1")
	require.ErrorIs(t, err, walletfi.ErrRateLimited)
	require.NotErrorIs(t, err, socialsearch.ErrUsageCap)
	require.Len(t, s.Requests(), 3, "a rate limit is waited out")
}

// TestSpendOfSuccesses: a success costs what it returned, and the most that was
// reserved if that cannot be told. A look-up costs the same whatever it found.
func TestSpendOfSuccesses(t *testing.T) {
	search := func(c *socialsearch.Client) error { _, err := c.SearchRecent(t.Context(), gm()); return err }
	user := func(c *socialsearch.Client) error { _, err := c.GetUserByUsername(t.Context(), "ann"); return err }
	post := func(c *socialsearch.Client) error { _, err := c.GetPost(t.Context(), "1"); return err }
	timeline := func(c *socialsearch.Client) error {
		_, err := c.ListUserPosts(t.Context(), "1", socialsearch.UserPostsRequest{Limit: new(20)})
		return err
	}
	for _, row := range []struct {
		call   func(*socialsearch.Client) error
		answer string
		want   socialsearch.Cost
	}{
		{search, `{"data":[{"id":"1"},{"id":"2"}]}`, 2 * 5_000},
		{search, `{"data":[],"meta":{"result_count":0}}`, 0},
		{search, `{"meta":{"result_count":0}}`, 0},
		{search, `{"meta":{"result_count":3}}`, 10 * 5_000},
		{search, `{"data":[{"id":"1"}],"meta":{"result_count":3}}`, 3 * 5_000},
		{search, `{"data":[],"meta":{"result_count":1000000}}`, 10 * 5_000},
		{search, `{"data":[],"meta":{"result_count":9223372036854775807}}`, 10 * 5_000},
		{search, `{"data":[],"meta":{"result_count":9223372036854775808}}`, 10 * 5_000},
		{search, `{"data":[],"meta":{"result_count":1e30}}`, 10 * 5_000},
		{search, `{"data":[],"meta":{"result_count":-5}}`, 0},
		{search, `{"data":[],"meta":{"result_count":-1e30}}`, 0},
		{search, `{"data":[{"id":"1"},7,null]}`, 3 * 5_000},
		{search, `{"data":[{"id":"1"}],"includes":{"users":[7,{"id":"a"}]}}`, 5_000},
		{search, `{}`, 10 * 5_000},
		{search, `{"posts":[{"id":"1"}]}`, 10 * 5_000},
		{search, `{"data":{"id":"1"}}`, 10 * 5_000},
		{search, `{"error":"x"}`, 10 * 5_000},
		{search, `<html>`, 10 * 5_000},
		{timeline, `{"posts":[]}`, 20 * 5_000},
		{timeline, `[]`, 20 * 5_000},
		{timeline, `{"data":[{"id":"1"}]}`, 5_000},
		{user, `{"data":{"id":"1"}}`, 10_000},
		{user, `{"data":null,"errors":[{}]}`, 10_000},
		{user, `{}`, 10_000},
		{user, `{"error":"x"}`, 10_000},
		{post, `{"data":null}`, 5_000},
		{post, `{"data":7}`, 5_000},
	} {
		s := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, row.answer) })
		m := meter(t, 0)
		_ = row.call(client(t, s.URL, m))
		require.Len(t, s.Requests(), 1)
		require.Equal(t, row.want, m.Spent(), row.answer)
		require.Zero(t, m.State().Reserved)
	}
}

// TestMeterIsStoredAndRestored: what was reserved when the program ended counts as
// spent.
func TestMeterIsStoredAndRestored(t *testing.T) {
	stored, err := json.Marshal(socialsearch.MeterState{Spent: 15_000, Reserved: 50_000})
	require.NoError(t, err)
	var state socialsearch.MeterState
	require.NoError(t, json.Unmarshal(stored, &state))
	m, err := socialsearch.NewMeter(socialsearch.MeterConfig{Budget: 100_000, From: state})
	require.NoError(t, err)
	require.Equal(t, socialsearch.MeterState{Spent: 65_000}, m.State())
	require.Equal(t, socialsearch.Cost(35_000), m.Remaining())
	_, err = socialsearch.NewMeter(socialsearch.MeterConfig{From: socialsearch.MeterState{Spent: -1}})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
}

// TestSpendOfRetries: of the attempts before the last, those count whose answers were
// lost, not those that the service answered with an error. Nothing is reserved
// afterwards.
func TestSpendOfRetries(t *testing.T) {
	const lost = 0
	most := 10 * socialsearch.CostPostRead
	for _, row := range []struct {
		budget   socialsearch.Cost
		statuses []int
		want     socialsearch.Cost
		err      error
	}{
		{0, []int{429, 429, 200}, 5_000, nil},
		{0, []int{500, 200}, 5_000, nil},
		{0, []int{503, lost, 500, 200}, most + 5_000, nil},
		{0, []int{lost, lost, 200}, 2*most + 5_000, nil},
		{0, []int{lost, 404}, most, walletfi.ErrNotFound},
		{0, []int{503, 503, 503, 503}, 0, walletfi.ErrUnavailable},
		{60_000, []int{lost}, most, socialsearch.ErrSpendBudget}, // its repeat could exceed the budget
		{60_000, []int{500}, 0, socialsearch.ErrSpendBudget},
	} {
		var n atomic.Int64
		s := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
			switch status := row.statuses[n.Add(1)-1]; status {
			case lost:
				panic(http.ErrAbortHandler)
			case http.StatusOK:
				io.WriteString(w, `{"data":[{"id":"1"}]}`)
			default:
				w.WriteHeader(status)
			}
		})
		m := meter(t, row.budget)
		c, err := socialsearch.New(socialsearch.Config{
			BaseURL: s.URL, BearerToken: walletfi.NewSecret("b-123456"), Spend: m, RetryPaidReads: true,
			Options: walletfi.Options{Retry: walletfi.RetryPolicy{MinWait: 1}},
		})
		require.NoError(t, err)
		require.ErrorIs(t, wiretest.Error(c.SearchRecent(t.Context(), gm())), row.err)
		require.Len(t, s.Requests(), len(row.statuses))
		require.Equal(t, socialsearch.MeterState{Spent: row.want}, m.State(), row.statuses)
	}
}

// TestSpendNeverWraps: sums beyond the largest Cost stay there, so that nothing more
// is sent.
func TestSpendNeverWraps(t *testing.T) {
	s := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"data":[{"id":"1"}]}`) })
	for name, cfg := range map[string]socialsearch.MeterConfig{
		"state": {Budget: 100, From: socialsearch.MeterState{Spent: math.MaxInt64 - 1, Reserved: 10}},
		"spent": {Budget: math.MaxInt64 - 1, From: socialsearch.MeterState{Spent: math.MaxInt64 - 2}},
		"price": {Budget: 5, PostRead: math.MaxInt64 / 5},
	} {
		m, err := socialsearch.NewMeter(cfg)
		require.NoError(t, err)
		before := m.State()
		require.GreaterOrEqual(t, before.Spent, socialsearch.Cost(0), name)
		_, err = client(t, s.URL, m).SearchRecent(t.Context(), gm())
		require.ErrorIs(t, err, socialsearch.ErrSpendBudget, name)
		require.Equal(t, before, m.State(), name)
	}
	require.Empty(t, s.Requests())
}

// TestSpendOfABudgetOfOne: the observer is told what is left of the smallest budget,
// and a caller that captures the response still gets it.
func TestSpendOfABudgetOfOne(t *testing.T) {
	s := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"data":{"id":"u1"}}`) })
	m, err := socialsearch.NewMeter(socialsearch.MeterConfig{Budget: 1, UserLookup: 1})
	require.NoError(t, err)
	told := recorded.New(t)
	c, err := socialsearch.New(socialsearch.Config{
		BaseURL: s.URL, BearerToken: walletfi.NewSecret("b-123456"), Spend: m, Options: walletfi.Options{Observer: told},
	})
	require.NoError(t, err)
	var raw walletfi.RawResponse
	require.NoError(t, wiretest.Error(c.GetUserByUsername(t.Context(), "ann", walletfi.WithRawResponse(&raw))))
	require.Equal(t, `{"data":{"id":"u1"}}`, string(raw.Body))
	want := observe.Spent{Service: "socialsearch", Op: "GetUserByUsername", Micros: 1, Total: 1, Remaining: 0}
	require.Equal(t, []observe.Spent{want}, recorded.Events[observe.Spent](told))
	require.ErrorIs(t, wiretest.Error(c.GetUserByUsername(t.Context(), "ann")), socialsearch.ErrSpendBudget)
}

// TestSpendOfOneConnection: of two attempts the first got no connection and the
// second lost its answer. Only the second can have been billed.
func TestSpendOfOneConnection(t *testing.T) {
	s := wiretest.Serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	m := meter(t, 0)
	dials := 0
	c, err := socialsearch.New(socialsearch.Config{
		BaseURL: s.URL, BearerToken: walletfi.NewSecret("b-123456"), Spend: m, RetryPaidReads: true,
		Options: walletfi.Options{
			Retry: walletfi.RetryPolicy{MaxRetries: new(1), MinWait: 1},
			HTTPClient: &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				if dials++; dials == 1 {
					return nil, &net.OpError{Op: "dial", Err: errors.New("no route")}
				}
				return (&net.Dialer{}).DialContext(ctx, network, address)
			}}},
		},
	})
	require.NoError(t, err)
	require.ErrorIs(t, wiretest.Error(c.SearchRecent(t.Context(), gm())), walletfi.ErrUnavailable)
	require.Equal(t, 2, dials)
	require.Equal(t, 10*socialsearch.CostPostRead, m.Spent())
}

// script answers each attempt in turn; it has no connections to tell of.
type script struct {
	steps []func(*http.Request) (*http.Response, error)
	sent  int
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	s.sent++
	return s.steps[s.sent-1](r)
}

// TestSpendOfACancelAfterARefusal: a refusal is not billed, also if the caller gives up
// in the pause after it; what is under way then, or was lost before, is.
func TestSpendOfACancelAfterARefusal(t *testing.T) {
	refused := func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 503, Header: http.Header{"Retry-After": {"20"}}, Body: http.NoBody, Request: r}, nil
	}
	lost := func(*http.Request) (*http.Response, error) { return nil, errors.New("connection reset by peer") }
	hangs := func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	most := 10 * socialsearch.CostPostRead
	type steps = []func(*http.Request) (*http.Response, error)
	for name, row := range map[string]struct {
		steps steps
		after time.Duration // the cancel
		retry bool          // paid reads
		sent  int
		want  socialsearch.Cost
	}{
		"in the pause":                {steps{refused}, 5 * time.Second, false, 1, 0},
		"in the second pause":         {steps{refused, refused}, 25 * time.Second, true, 2, 0},
		"on the wire again":           {steps{refused, hangs}, 25 * time.Second, false, 2, most},
		"in the pause, lost before":   {steps{lost, refused}, 5 * time.Second, true, 2, most},
		"on the wire, refused before": {steps{refused, refused, hangs}, 45 * time.Second, true, 3, most},
	} {
		wiretest.InBubble(t, name, func(t *testing.T) {
			wire, m := &script{steps: row.steps}, meter(t, 0)
			c, err := socialsearch.New(socialsearch.Config{
				BaseURL: "https://social.test", BearerToken: walletfi.NewSecret("b-123456"), Spend: m, RetryPaidReads: row.retry,
				Options: walletfi.Options{HTTPClient: &http.Client{Transport: wire}},
			})
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(row.after, cancel)
			require.ErrorIs(t, wiretest.Error(c.SearchRecent(ctx, gm())), context.Canceled)
			require.Equal(t, row.sent, wire.sent)
			require.Equal(t, socialsearch.MeterState{Spent: row.want}, m.State(), "and nothing stays reserved")
		})
	}
}
