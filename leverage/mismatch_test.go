package leverage_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/leverage"
)

// TestPositionsOfAnotherStatus: under a filter a position has no other status that is
// documented, in any case. One that is not may be a new name.
func TestPositionsOfAnotherStatus(t *testing.T) {
	const whole = `{"address":"P1111111111111111111111111111111","status":"EXECUTED","unrealizedPnlUsd":"1","roiPercent":"1","liquidationPrice":"1","currentLtv":"0.5",` +
		`"effectiveLeverage":"2","interestAccrued":"1","dailyInterestCost":"1","entryPrice":"1","currentPrice":"1","collateralAmount":"1","borrowedAmount":"1"}`
	list := func(status, filter string) error {
		record := strings.Replace(strings.Replace(whole, `"status":"EXECUTED",`, status, 1), `"P1`, `"P2`, 1)
		c, _ := carriedClient(t, ok(`[`+whole+`,`+record+`]`))
		return wiretest.Error(c.ListPositions(t.Context(), leverage.PositionsRequest{
			Owner: wiretest.Address(1), Status: leverage.PositionStatus(filter),
		}))
	}
	for _, status := range []string{`"status":"EXECUTED",`, `"status":"executed",`, `"status":"OPEN",`} {
		require.NoError(t, list(status, "EXECUTED"), status)
	}
	// One that does not say passes no filter unseen: it is kept, and said.
	for _, status := range []string{``, `"status":null,`, `"status":"",`, `"status":" ",`, `"status":"!!!",`, `"status":"\u0000",`} {
		unread := wiretest.As[*walletfi.UnreadError](t, list(status, "EXECUTED"))
		require.Len(t, unread.Records, 1, status)
		require.Equal(t, 1, unread.Records[0].Index, status)
		require.True(t, unread.Records[0].Kept, status)
		require.ErrorContains(t, unread, "status", status)
		require.Equal(t, !strings.ContainsAny(status, ` !\\`), list(status, "ALL") == nil, status)
	}
	for _, status := range []string{`"status":"CLOSED",`, `"status":"closed",`, `"status":"Liquidated",`} {
		err := list(status, "EXECUTED")
		require.ErrorIs(t, err, walletfi.ErrMismatch, status)
		require.Equal(t, "positions.status", wiretest.As[*walletfi.MismatchError](t, err).Field)
		require.NoError(t, list(status, ""), "nothing was asked for")
		require.NoError(t, list(status, "ALL"), "nothing was filtered")
	}
}

// TestPositionsOfAnotherOwner: a position that names its owner names the one that was asked for.
func TestPositionsOfAnotherOwner(t *testing.T) {
	const whole = `{"address":"P1111111111111111111111111111111","status":"EXECUTED","unrealizedPnlUsd":"1","roiPercent":"1","liquidationPrice":"1","currentLtv":"0.5",` +
		`"effectiveLeverage":"2","interestAccrued":"1","dailyInterestCost":"1","entryPrice":"1","currentPrice":"1","collateralAmount":"1","borrowedAmount":"1"}`
	for _, member := range []string{"owner", "userPublicKey"} {
		for _, filter := range []leverage.PositionStatus{"", leverage.StatusAll, leverage.StatusExecuted} {
			for owner, same := range map[string]bool{wiretest.Address(1): true, wiretest.Address(2): false, "": true} {
				c, _ := carriedClient(t, ok(`[`+whole+`,`+strings.Replace(strings.Replace(whole, `"P1`, `"P2`, 1), `{`, `{"`+member+`":"`+owner+`",`, 1)+`]`))
				err := wiretest.Error(c.ListPositions(t.Context(), leverage.PositionsRequest{Owner: wiretest.Address(1), Status: filter}))
				if same {
					require.NoError(t, err)
					continue
				}
				require.ErrorIs(t, err, walletfi.ErrMismatch)
				require.Equal(t, "positions."+member, wiretest.As[*walletfi.MismatchError](t, err).Field)
			}
		}
	}
}

// TestAttackedOwner: an owner that comes twice is the one that was asked for both times, and one
// that is no text is said.
func TestAttackedOwner(t *testing.T) {
	const whole = `{"address":"P1111111111111111111111111111111","status":"EXECUTED","unrealizedPnlUsd":"1","roiPercent":"1","liquidationPrice":"1","currentLtv":"0.5",` +
		`"effectiveLeverage":"2","interestAccrued":"1","dailyInterestCost":"1","entryPrice":"1","currentPrice":"1","collateralAmount":"1","borrowedAmount":"1"}`
	asked, other := `"`+wiretest.Address(1)+`"`, `"`+wiretest.Address(2)+`"`
	list := func(members string) (*leverage.PositionPage, error) {
		c, _ := carriedClient(t, ok(`[`+strings.Replace(whole, `{`, `{`+members+`,`, 1)+`]`))
		return c.ListPositions(t.Context(), leverage.PositionsRequest{Owner: wiretest.Address(1)})
	}
	for _, name := range []string{"owner", "userPublicKey"} {
		for _, twice := range []string{
			`"` + name + `":` + other + `,"` + name + `":` + asked, `"` + name + `":` + asked + `,"` + name + `":` + other,
			`"` + strings.ToUpper(name) + `":` + other, `"\u00` + map[string]string{"owner": "6f", "userPublicKey": "75"}[name] + name[1:] + `":` + other,
		} {
			_, err := list(twice)
			require.ErrorIs(t, err, walletfi.ErrMismatch, twice)
		}
		for _, kind := range []string{`7`, `true`, `{}`, `[` + other + `]`} {
			page, err := list(`"` + name + `":` + kind)
			require.ErrorIs(t, err, walletfi.ErrDecode, kind)
			require.ErrorContains(t, err, "Position."+name, kind)
			require.True(t, wiretest.As[*walletfi.UnreadError](t, err).Records[0].Kept)
			require.Len(t, page.Items, 1)
		}
		for _, honest := range []string{`"` + name + `":null`, `"` + name + `":` + asked, `"` + name + `":` + asked + `,"` + name + `":` + asked} {
			_, err := list(honest)
			require.NoError(t, err, honest)
		}
	}
}
