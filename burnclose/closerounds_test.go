package burnclose_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// closer is a service with a list of accounts, a transaction each, and a
// wallet that can close some of them.
type closer struct {
	accounts []string
	stuck    []string // cannot be closed
	perPage  int      // where the request says no limit
	asked    []string // "offset/limit" of each request
	tried    []string // in order
}

// transaction of an account: its name in base58's own alphabet.
func (s *closer) answer(_ int, r wiretest.Request) answer {
	var req struct{ Offset, Limit int }
	if err := json.Unmarshal([]byte(r.Body), &req); err != nil {
		return answer{Err: err}
	}
	s.asked = append(s.asked, fmt.Sprintf("%d/%d", req.Offset, req.Limit))
	size := s.perPage
	if req.Limit > 0 {
		size = req.Limit
	}
	from := min(req.Offset, len(s.accounts))
	page := s.accounts[from:min(from+size, len(s.accounts))]
	count := fmt.Sprintf(`,"accountsClosed":%d`, len(page))
	if len(page) == 0 {
		return answer{Status: 200, Body: `{"transactions":[]` + count + `}`}
	}
	return answer{Status: 200, Body: `{"transactions":["` + strings.Join(page, `","`) + `"]` + count + `}`}
}

func (s *closer) step(_ context.Context, built *burnclose.CloseAllTransactions) (int, error) {
	confirmed := 0
	for _, tx := range built.Transactions {
		s.tried = append(s.tried, string(tx))
		if i := slices.Index(s.accounts, string(tx)); i >= 0 && !slices.Contains(s.stuck, string(tx)) {
			s.accounts = slices.Delete(s.accounts, i, i+1)
			confirmed++
		}
	}
	return confirmed, nil
}

func (s *closer) client(t testing.TB) *burnclose.Client {
	t.Helper()
	c, _ := replyingClient(t, once, s.answer)
	return c
}

func TestCloseAll(t *testing.T) {
	for name, row := range map[string]struct {
		service closer
		req     burnclose.CloseAllRequest
		asked   string
		left    string
	}{
		"nothing to close":     {closer{perPage: 2}, burnclose.CloseAllRequest{}, "0/0", ""},
		"all, again from 0":    {closer{accounts: letters("abcde"), perPage: 2}, burnclose.CloseAllRequest{}, "0/0 0/0 0/0 0/0", ""},
		"all, by a limit":      {closer{accounts: letters("abcde"), perPage: 9}, burnclose.CloseAllRequest{Limit: new(3)}, "0/3 0/3 0/3", ""},
		"none can be closed":   {closer{accounts: letters("abcde"), stuck: letters("abcde"), perPage: 2}, burnclose.CloseAllRequest{}, "0/0 2/0 4/0 5/0", "abcde"},
		"the first are stuck":  {closer{accounts: letters("abcde"), stuck: letters("ab"), perPage: 2}, burnclose.CloseAllRequest{}, "0/0 2/0 0/0 2/0 0/0 2/0", "ab"},
		"one of a page":        {closer{accounts: letters("abcd"), stuck: letters("b"), perPage: 2}, burnclose.CloseAllRequest{}, "0/0 0/0 0/0 0/0 1/0", "b"},
		"from an offset on":    {closer{accounts: letters("abcd"), perPage: 2}, burnclose.CloseAllRequest{Offset: new(1)}, "1/0 1/0 1/0", "a"},
		"an offset beyond all": {closer{accounts: letters("ab"), perPage: 2}, burnclose.CloseAllRequest{Offset: new(9)}, "9/0", "ab"},
	} {
		t.Run(name, func(t *testing.T) {
			service, req := row.service, row.req
			req.Owner = owner
			c := service.client(t)
			closed := 0
			for round, err := range c.CloseAll(t.Context(), req, service.step) {
				require.NoError(t, err)
				closed += round.Confirmed
				require.Equal(t, owner, round.Built.Unsigned().Intent.Owner)
			}
			require.Equal(t, row.asked, strings.Join(service.asked, " "))
			require.Equal(t, row.left, strings.Join(service.accounts, ""))
			require.Equal(t, len(row.service.accounts)-len(row.left), closed)
		})
	}
}

func letters(s string) []string { return strings.Split(s, "") }

func TestCloseAllStops(t *testing.T) {
	t.Run("at the caller's break", func(t *testing.T) {
		service := closer{accounts: letters("abcd"), perPage: 1}
		c := service.client(t)
		for range c.CloseAll(t.Context(), burnclose.CloseAllRequest{Owner: owner}, service.step) {
			break
		}
		require.Equal(t, []string{"a"}, service.tried)
	})
	t.Run("at the step's error, with its round", func(t *testing.T) {
		service := closer{accounts: letters("abcd"), perPage: 1}
		broken := errors.New("the key is locked")
		var rounds []*burnclose.CloseRound
		var errs []error
		c := service.client(t)
		for round, err := range c.CloseAll(t.Context(), burnclose.CloseAllRequest{Owner: owner}, func(ctx context.Context, built *burnclose.CloseAllTransactions) (int, error) {
			n, _ := service.step(ctx, built)
			if len(service.tried) == 2 {
				return n, broken
			}
			return n, nil
		}) {
			rounds, errs = append(rounds, round), append(errs, err)
		}
		require.Equal(t, []error{nil, broken}, errs)
		require.Equal(t, 1, rounds[1].Confirmed)
	})
	t.Run("at a build's error", func(t *testing.T) {
		c, _ := carriedClient(t, once, answer{Status: 401})
		n := 0
		for round, err := range c.CloseAll(t.Context(), burnclose.CloseAllRequest{Owner: owner}, (&closer{}).step) {
			n++
			require.Nil(t, round)
			require.ErrorIs(t, err, walletfi.ErrUnauthorized)
		}
		require.Equal(t, 1, n)
	})
	t.Run("without a step", func(t *testing.T) {
		for _, err := range wiretest.Some(t, unreachable(t).CloseAll(t.Context(), burnclose.CloseAllRequest{Owner: owner}, nil)) {
			wiretest.Refused(t, err, "step")
		}
	})
	t.Run("against a service without end", func(t *testing.T) {
		c, wire := carriedClient(t, once, answer{Status: 200, Body: `{"transactions":["Ldp"],"accountsClosed":1}`})
		var last error
		for _, err := range c.CloseAll(t.Context(), burnclose.CloseAllRequest{Owner: owner}, func(context.Context, *burnclose.CloseAllTransactions) (int, error) {
			return 1, nil
		}) {
			last = err
		}
		require.ErrorIs(t, last, walletfi.ErrDecode)
		require.Len(t, wire.Seen, 1000)
	})
}

// TestCloseAllStartsAnew: ranging twice over one iterator begins twice.
func TestCloseAllStartsAnew(t *testing.T) {
	service := closer{accounts: letters("ab"), stuck: letters("ab"), perPage: 1}
	c := service.client(t)
	all := c.CloseAll(t.Context(), burnclose.CloseAllRequest{Owner: owner}, service.step)
	for range 2 {
		for _, err := range all {
			require.NoError(t, err)
		}
	}
	require.Equal(t, "0/0 1/0 2/0 0/0 1/0 2/0", strings.Join(service.asked, " "))
}

// TestCloseAllIsNotDoneByAHollowAnswer: only an empty list says that nothing is
// left to close.
func TestCloseAllIsNotDoneByAHollowAnswer(t *testing.T) {
	for _, body := range []string{``, `null`, `{}`, `[]`, `{"transactions":null}`, `{"message":"upstream timed out"}`} {
		c, _ := carriedClient(t, once, answer{Status: 200, Body: body})
		steps := 0
		var last error
		for _, err := range c.CloseAll(t.Context(), burnclose.CloseAllRequest{Owner: owner}, func(context.Context, *burnclose.CloseAllTransactions) (int, error) {
			steps++
			return 0, nil
		}) {
			last = err
		}
		require.ErrorIs(t, last, walletfi.ErrDecode, body)
		require.Zero(t, steps)
	}
}
