package lending_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
)

// TestDecides: what a caller would act on is said, or the record says that it is not.
func TestDecides(t *testing.T) {
	for name, row := range map[string]struct{ file, was, now, fault string }{
		"no decimals":          {"ListPools", `"decimals": 6,`, ``, "Pool.decimals decides, and is missing"},
		"null decimals":        {"ListPools", `"decimals": 6`, `"decimals": null`, "Pool.decimals decides, and is missing"},
		"half a decimal":       {"ListPools", `"decimals": 6`, `"decimals": 6.5`, "Pool.decimals decides, and is of another kind"},
		"decimals in words":    {"ListPools", `"decimals": 6`, `"decimals": "six"`, "Pool.decimals decides, and is of another kind"},
		"decimals below 0":     {"ListPools", `"decimals": 6`, `"decimals": -6`, "Pool.decimals decides, and is out of range"},
		"400 decimals":         {"ListPools", `"decimals": 6`, `"decimals": 400`, "Pool.decimals decides, and is out of range"},
		"decimals twice":       {"ListPools", `"decimals": 6`, `"decimals": 6, "decimals": 9`, "Pool.decimals decides, and is repeated"},
		"no mint":              {"ListPools", `"mint": "M1111111111111111111111111111111",`, ``, "Pool.mint decides, and is missing"},
		"a mint by its name":   {"ListPools", `"mint": "M1111111111111111111111111111111"`, `"mint": "usd c"`, "Pool.mint decides, and is no identifier"},
		"a mint of no text":    {"ListPools", `"mint": "M1111111111111111111111111111111"`, `"mint": 7`, "Pool.mint decides, and is of another kind"},
		"a short signature":    {"ListHistory", `"signature": "S`, `"signature": "S!", "hash": "`, "Event.signature decides, and is no identifier"},
		"no rate":              {"ListPools", `"boostedApy": 9,`, ``, "Pool.boostedApy decides, and is missing"},
		"a ratio of no number": {"ListPools", `0.85`, `"NaN"`, "Pool.coverageRatio decides, and is of another kind"},
		"never available":      {"ListPendingWithdrawals", `"availableAt": 1700172800,`, ``, "PendingWithdrawal.availableAt decides, and is missing"},
		"available soon":       {"ListPendingWithdrawals", `1700172800`, `"soon"`, "PendingWithdrawal.availableAt decides, and is of another kind"},
		"available in 2^63 s":  {"ListPendingWithdrawals", `1700172800`, `9223372036854775808`, "PendingWithdrawal.availableAt decides, and is of another kind"},
		"available before":     {"ListPendingWithdrawals", `1700172800`, `-1`, "PendingWithdrawal.availableAt decides, and is out of range"},
		"claimable or not":     {"GetAccount", `"claimable": true`, `"claimable": null`, "Reward.claimable decides, and is missing"},
		"a deposit of nothing": {"ListHistory", `"mint": "M1111111111111111111111111111111", "amount": 5,`, ``, "Event.amount decides, and is missing"},
		"a deposit unsigned":   {"ListHistory", `, "signature": "S111111111111111111111111111111111111111111111111111111111111111"`, ``, "Event.signature decides, and is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			whole := wiretest.File(t, row.file+".json")
			body := strings.Replace(whole, row.was, row.now, 1)
			require.NotEqual(t, whole, body)
			c, _ := carriedClient(t, lending.TierEnterprise, walletfi.Options{}, answer{Status: 200, Body: body})
			kept, err := listed(t, c, row.file)
			unread, ok := errors.AsType[*walletfi.UnreadError](err)
			require.True(t, ok, "%v", err)
			require.Len(t, unread.Records, 1)
			require.True(t, unread.Records[0].Kept)
			require.Positive(t, kept)
			require.ErrorContains(t, err, row.fault)
		})
	}
}

// listed makes the call whose answer a file has. It returns how many records came.
func listed(t *testing.T, c *lending.Client, file string) (records int, err error) {
	switch file {
	case "ListPools":
		page, err := c.ListPools(t.Context())
		return len(page.Items), err
	case "ListPendingWithdrawals":
		page, err := c.ListPendingWithdrawals(t.Context(), "W1111111111111111111111111111111")
		require.Equal(t, time.Duration(math.MaxInt64), page.Items[0].Remaining(time.Unix(1700172801, 0)))
		return len(page.Items), err
	case "GetAccount":
		account, err := c.GetAccount(t.Context(), "W1111111111111111111111111111111")
		return len(account.Rewards), err
	}
	page, err := c.ListHistory(t.Context(), "W1111111111111111111111111111111", lending.HistoryRequest{})
	return len(page.Items), err
}

// TestDecidesAlone: an answer that is no list, and does not say what decides, is none.
func TestDecidesAlone(t *testing.T) {
	const rest = `{"transaction":"AQID","blockhash":"4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"`
	request := lending.DepositRequest{Owner: "W1111111111111111111111111111111", Mint: "M1111111111111111111111111111111", DepositType: lending.DepositRegular, Amount: 1}
	for _, height := range []string{``, `,"lastValidBlockHeight":null`, `,"lastValidBlockHeight":0`, `,"lastValidBlockHeight":1e3`} {
		c, _ := carriedClient(t, lending.TierEnterprise, walletfi.Options{}, answer{Status: 200, Body: rest + height + `}`})
		_, err := c.BuildDeposit(t.Context(), request)
		require.ErrorIs(t, err, walletfi.ErrDecode, height)
	}
	for _, hash := range []string{`7`, `"!!!"`, `"six"`} {
		body := strings.Replace(rest, `"4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"`, hash, 1) + `,"lastValidBlockHeight":1}`
		c, _ := carriedClient(t, lending.TierEnterprise, walletfi.Options{}, answer{Status: 200, Body: body})
		_, err := c.BuildDeposit(t.Context(), request)
		require.ErrorIs(t, err, walletfi.ErrDecode, hash)
	}
	for _, body := range []string{`{"events":[]}`, `{"events":[],"total":-1}`, `{"events":[],"total":{}}`} {
		c, _ := carriedClient(t, lending.TierEnterprise, walletfi.Options{}, answer{Status: 200, Body: body})
		_, err := c.ListHistory(t.Context(), "W1111111111111111111111111111111", lending.HistoryRequest{})
		require.ErrorIs(t, err, walletfi.ErrDecode, body)
	}
	// Of no documented shape: there need be no transaction, but what is called so is one.
	for body, want := range map[string]error{
		`{"a":1}`: nil, `{"data":{"transaction":7}}`: nil, `{"transaction":"AQID","lastValidBlockHeight":9}`: nil,
		`{"transaction":"!!!"}`: walletfi.ErrDecode, `{"transaction":12345}`: walletfi.ErrDecode, `{"transaction":true}`: walletfi.ErrDecode,
		`{"transaction":{}}`: walletfi.ErrDecode, `{"transaction":[]}`: walletfi.ErrDecode, `{"transaction":null,"a":1}`: nil,
		`{"transaction":"AQID","transaction":"AQIE"}`:      walletfi.ErrDecode,
		`{"transaction":"AQID","lastValidBlockHeight":-1}`: walletfi.ErrDecode, `{"transaction":"AQID","lastValidBlockHeight":"six"}`: walletfi.ErrDecode,
		`{"transaction":"AQID","lastValidBlockHeight":6.5}`: walletfi.ErrDecode, `{"blockhash":{}}`: walletfi.ErrDecode,
		`{}`: walletfi.ErrDecode, `null`: walletfi.ErrDecode, `[]`: walletfi.ErrDecode, `"x"`: walletfi.ErrDecode, `{"data":null}`: walletfi.ErrDecode,
	} {
		c, _ := carriedClient(t, lending.TierEnterprise, walletfi.Options{}, answer{Status: 200, Body: body})
		built, err := c.BuildInitializeReferrer(t.Context(), lending.InitializeReferrerRequest{Owner: "W1111111111111111111111111111111"})
		require.ErrorIs(t, err, want, body)
		if want == nil {
			require.Equal(t, body, built.Raw.String())
		}
	}
}

// TestAvailableBeforeItBegan: the times of a withdrawal are in order. It is kept, with the problem
// beside it.
func TestAvailableBeforeItBegan(t *testing.T) {
	for times, ok := range map[string]bool{
		`"initiatedAt":1700000000,"availableAt":1700172800`: true, `"initiatedAt":1700000000,"availableAt":1700000000`: true,
		`"availableAt":1700172800`: true, `"initiatedAt":1700000000,"availableAt":1699999999`: false,
	} {
		body := `{"pendingWithdrawals":[{"mint":"M1111111111111111111111111111111","amount":5,"withdrawType":"boosted",` + times + `,"cooldownRemaining":1}]}`
		c, _ := carriedClient(t, lending.TierEnterprise, walletfi.Options{}, answer{Status: 200, Body: body})
		page, err := c.ListPendingWithdrawals(t.Context(), "W1111111111111111111111111111111")
		require.NotNil(t, page)
		require.Len(t, page.Items, 1)
		if ok {
			require.NoError(t, err, times)
		} else {
			require.ErrorIs(t, err, walletfi.ErrDecode, times)
			require.ErrorContains(t, err, "PendingWithdrawal.availableAt", times)
		}
	}
}
