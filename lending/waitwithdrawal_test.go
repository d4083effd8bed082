package lending_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

// pending is an answer with withdrawals, each by its mint, amount and hours from begun.
func pending(begun time.Time, records ...[3]any) answer {
	var all []string
	for _, r := range records {
		all = append(all, fmt.Sprintf(`{"mint":"%v","amount":%v,"withdrawType":"boosted","initiatedAt":%d,"availableAt":%d,"cooldownRemaining":0}`,
			r[0], r[1], begun.Unix(), begun.Add(time.Duration(r[2].(int))*time.Hour).Unix()))
	}
	return answer{Status: 200, Body: `{"pendingWithdrawals":[` + strings.Join(all, ",") + `]}`}
}

const mintM, mintN = "M1111111111111111111111111111111", "N1111111111111111111111111111111"

// TestWaitWithdrawal: the wait ends when the service's time has come, however it shows that.
func TestWaitWithdrawal(t *testing.T) {
	type records = [][3]any
	for name, row := range map[string]struct {
		answers []records
		hours   int // how long it takes
		amount  walletfi.Amount
		want    error
	}{
		"still listed":         {[]records{{{mintM, 5, 48}}, {{mintM, 5, 48}}}, 48, 5, nil},
		"no longer listed":     {[]records{{{mintM, 5, 48}}, {}}, 48, 5, nil},
		"its time was moved":   {[]records{{{mintM, 5, 48}}, {{mintM, 5, 50}}, {}}, 50, 5, nil},
		"the first of several": {[]records{{{mintN, 9, 1}, {mintM, 6, 20}, {mintM, 5, 10}}, {{mintM, 6, 20}}}, 10, 5, nil},
		"it can be taken":      {[]records{{{mintM, 5, 0}}}, 0, 5, nil},
		"none of the mint":     {[]records{{{mintN, 5, 48}}}, 0, 0, walletfi.ErrNotFound},
		"none at all":          {[]records{{}}, 0, 0, walletfi.ErrNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				var answers []answer
				for _, a := range row.answers {
					answers = append(answers, pending(begun, a...))
				}
				c, wire := carriedClient(t, "", walletfi.Options{}, answers...)
				got, err := c.WaitWithdrawal(t.Context(), "W1111111111111111111111111111111", mintM)
				require.ErrorIs(t, err, row.want)
				require.Equal(t, time.Duration(row.hours)*time.Hour, time.Since(begun).Truncate(time.Hour))
				require.Len(t, wire.Seen, len(answers))
				if row.want == nil {
					require.Equal(t, row.amount, got.Amount)
				}
			})
		})
	}
}

// TestWaitWithdrawalWithoutATime: a wait that has no end is none, and neither is one that
// the caller has ended.
func TestWaitWithdrawalWithoutATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := carriedClient(t, "", walletfi.Options{}, answer{Status: 200, Body: `{"pendingWithdrawals":[{"mint":"` + mintM + `","amount":5,"availableAt":"soon"}]}`})
		_, err := c.WaitWithdrawal(t.Context(), "W1111111111111111111111111111111", mintM)
		require.ErrorIs(t, err, walletfi.ErrDecode)

		c, _ = carriedClient(t, "", walletfi.Options{}, pending(time.Now(), [3]any{mintM, 5, 48}))
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		got, err := c.WaitWithdrawal(ctx, "W1111111111111111111111111111111", mintM)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.EqualValues(t, 5, got.Amount)
	})
}
