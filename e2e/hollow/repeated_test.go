package hollow

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// identity is the member that tells a record of a list from others, and another value of it; or
// why none does.
type identity struct{ members, another, none string }

const (
	anotherMint = `"M2111111111111111111111111111111"`
	anotherTime = `"2026-01-01T00:01:00Z"`
	aName       = "it is a name alone, with nothing to add up"
	noMembers   = "the members of a record are not documented"
)

// identities has all list calls. Those that a batch of names asks for say nothing of a record
// that comes twice: two of the names can be its own.
var identities = map[string]identity{
	"lending.GetAccount":              {members: "mint", another: anotherMint}, // with depositType and protocol
	"lending.ListPendingWithdrawals":  {members: "initiatedAt", another: `1700000060`},
	"lending.ListPools":               {members: "mint", another: anotherMint},
	"lending.ListHistory":             {members: "mint", another: anotherMint}, // with type, depositType and signature
	"lending.GetRates":                {members: "timestamp", another: `1700000060`},
	"smartaccount.ListAccounts":       {members: "id", another: `"acc_2"`},
	"smartaccount.ListSessions":       {members: "id", another: `"sess_2"`},
	"smartaccount.ListPolicies":       {members: "id", another: `"pol_2"`},
	"smartaccount.ListDirectDebits":   {members: "id", another: `"dd_2"`},
	"smartaccount.ListTransactions":   {members: "id", another: `"tx_2"`},
	"leverage.ListOffers":             {members: "address", another: anotherMint},
	"leverage.ListPositions":          {members: "address", another: anotherMint},
	"leverage.SearchTokens":           {none: noMembers},
	"leverage.ListTradeHistory":       {none: noMembers},
	"predictmeta.ListEvents":          {members: "ticker", another: `"EV2"`},
	"predictmeta.ListMarkets":         {members: "ticker", another: `"MK2"`},
	"predictmeta.ListTrades":          {members: "id", another: `"2"`},
	"predictmeta.ListTradesByMint":    {members: "id", another: `"2"`},
	"predictmeta.GetForecast":         {members: "timestamp", another: anotherTime},
	"predictmeta.BatchMarkets":        {members: "ticker", another: `"MK2"`},
	"predictmeta.ListOutcomeMints":    {members: "mint", another: `"` + mintOut + `"`},
	"predictmeta.FilterOutcomeMints":  {members: "mint", another: `"` + mintOut + `"`},
	"predictmeta.GetMilestones":       {members: "name", another: `"m"`}, // with timestamp
	"predictmeta.GetMilestonesByMint": {members: "name", another: `"m"`},
	"predictmeta.BatchMilestones":     {none: "the shape of the answer is not documented"},
	"predictmeta.ListSeries":          {members: "ticker", another: `"T"`},
	"predictmeta.ListCategories":      {members: "id", another: `"d"`},
	"predictmeta.ListSports":          {members: "id", another: `"t"`},
	"predictmeta.Search":              {members: "ticker", another: `"U"`}, // with type

	"predictmeta.GetEventCandlesticks":        {members: "timestamp", another: anotherTime},
	"predictmeta.GetMarketCandlesticks":       {members: "timestamp", another: anotherTime},
	"predictmeta.GetMarketCandlesticksByMint": {members: "timestamp", another: anotherTime},

	"swap.ListTokens":             {none: aName},
	"swap.ListTokensWithDecimals": {members: "mint", another: `"` + mintOut + `"`},
	"swap.ListVenues":             {members: "id", another: `"w"`},
	"amm.ListPools":               {none: noMembers},
	"amm.ListPoolsByIDs":          {none: noMembers},
	"amm.ListPoolsByMints":        {none: noMembers},
	"amm.ListMints":               {none: noMembers},
	"providerswap.ListQuotesV1":   {none: "not documented; a provider may quote several routes, and Best takes one quote"},

	"onchaindata.ListTopPools":             {members: "id", another: `"q"`},
	"onchaindata.ListTrendingPools":        {members: "id", another: `"q"`},
	"onchaindata.ListNetworkTrendingPools": {members: "id", another: `"q"`},
	"onchaindata.ListNewPools":             {members: "id", another: `"q"`},
	"onchaindata.SearchPools":              {members: "id", another: `"q"`},
	"onchaindata.FilterPools":              {members: "id", another: `"q"`},
	"onchaindata.GetPools":                 {members: "id,attributes.address", another: `"B"`},
	"onchaindata.GetTokens":                {members: "id,attributes.address", another: `"B"`},
	"onchaindata.ListPoolCandles":          {members: "0", another: `1700000000`},
	"onchaindata.ListTokenCandles":         {members: "0", another: `1700000000`},
	"onchaindata.ListTrades":               {members: "id", another: `"u"`},
	"onchaindata.ListNetworks":             {members: "id", another: `"o"`},
	"onchaindata.ListDEXes":                {members: "id", another: `"e"`},
	"socialsearch.SearchRecent":            {members: "id", another: `"2"`},
	"socialsearch.ListUserPosts":           {members: "id", another: `"2"`},
	"webhooks.ListWebhooks":                {members: "id", another: `"wh_2"`},
}

// identityOf returns the row of a list call, or of the list of an iterator.
func identityOf(t *testing.T, name string) identity {
	service, method, _ := strings.Cut(name, ".")
	rest, isIterator := strings.CutPrefix(method, "All")
	row, ok := identities[name]
	if isIterator {
		if row, ok = identities[service+".List"+rest]; !ok {
			row, ok = identities[service+"."+rest]
		}
	}
	require.True(t, ok, "%s needs a row: what tells its records apart, or why nothing does", name)
	require.True(t, (row.members == "") == (len(row.none) > 0), name)
	return row
}

// other is a record that is another one than c's.
func (c listCall) other(t *testing.T) string {
	if row := identityOf(t, c.name); row.members != "" {
		return set(t, c.record, row.members, json.RawMessage(row.another))
	}
	return c.record
}

// changed is c's record with other values.
func (c listCall) changed(t *testing.T) string {
	switch c.record[0] {
	case '[':
		return set(t, c.record, "5", 7)
	case '{':
		return set(t, c.record, "new", 7)
	}
	return c.record
}

// TestRepeated: a record that a page has twice, alike or not, is there once, and that it came
// again is said; where nothing tells records apart all are there.
func TestRepeated(t *testing.T) {
	told := 0
	for _, c := range listCalls() {
		t.Run(c.name, func(t *testing.T) {
			row := identityOf(t, c.name)
			for want, bodies := range map[int][][]string{
				1: {{c.record, c.record}, {c.record, c.changed(t), c.record}},
				2: {{c.record, c.other(t)}, {c.record, c.other(t), c.changed(t)}},
			} {
				for _, records := range bodies {
					sent, body := len(records), strings.Join(records, ",")
					carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: http.StatusOK, Body: replaced(c.answer, body)}}}
					page, err := c.call(t.Context(), carrier.Client())
					came := longest(reflect.ValueOf(page))
					unread, _ := errors.AsType[*walletfi.UnreadError](err)
					switch {
					case row.members == "":
						require.NoError(t, err)
						require.Equal(t, sent, came)
					case strings.Contains(c.name, "Batch"), strings.Contains(c.name, "FilterOutcome"):
						require.NoError(t, err)
						require.Equal(t, want, came)
					case want == sent:
						require.NoError(t, err, body)
						require.Equal(t, want, came, body)
					default:
						require.NotNil(t, unread, body)
						require.Len(t, unread.Records, sent-want)
						for _, again := range unread.Records {
							require.ErrorIs(t, again, wire.ErrRepeated)
							require.False(t, again.Kept)
							told++
						}
						require.Equal(t, want, came, body)
					}
				}
			}
		})
	}
	require.Greater(t, told, 150)
}

// TestRepeatedHasEveryList: each list has a row, and no row is of none.
func TestRepeatedHasEveryList(t *testing.T) {
	names := map[string]bool{}
	for _, c := range append(listCalls(), walks(t)...) {
		names[c.name] = true
		identityOf(t, c.name)
	}
	for name := range anyRecord { // with TestOneRecordHasEveryList, these are all
		names[name] = true
		identityOf(t, name)
	}
	for name := range identities {
		require.True(t, names[name], name)
	}
}

// TestRepeatedOnTwoPages: an iterator yields each record once, whichever pages it is on, and ends if
// the service repeats itself.
func TestRepeatedOnTwoPages(t *testing.T) {
	for _, c := range walks(t) {
		t.Run(c.name, func(t *testing.T) {
			row := identityOf(t, c.name)
			page := func(records ...string) wiretest.Answer {
				return wiretest.Answer{Status: http.StatusOK, Body: replaced(c.answer, strings.Join(records, ","))}
			}
			walk := func(answers ...wiretest.Answer) (walked, int) {
				carrier := &wiretest.Carrier{Answers: answers}
				result, err := c.call(t.Context(), carrier.Client())
				require.NoError(t, err)
				return collect(result), len(carrier.Seen)
			}
			w, asked := walk(page(c.record, c.other(t), c.record), page(c.other(t), c.changed(t)), page())
			require.NoError(t, w.failure)
			require.Empty(t, w.unread)
			if row.members == "" {
				require.Equal(t, "rrrrr", w.order)
				return
			}
			require.Equal(t, "rr", w.order, asked)
			w, asked = walk(page(c.record, c.other(t)))
			require.Equal(t, "rr", w.order)
			require.LessOrEqual(t, asked, 3)
			if w.failure != nil {
				require.ErrorIs(t, w.failure, walletfi.ErrDecode)
			}
		})
	}
}
