package lending

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// byHand tells as what a body was taken by hand: see wiretest.TakenByHand.
func byHand(t *testing.T, body []byte) (taken []string) {
	t.Helper()
	if wiretest.TakenByHand(t, body, scanAccount, nil) {
		taken = append(taken, "account")
	}
	if wiretest.TakenByHand(t, body, scanHistory, nil) {
		taken = append(taken, "history")
	}
	return taken
}

func TestByHand(t *testing.T) {
	const (
		position = `{"mint":"M1","symbol":"S","depositType":"boosted","balance":"5","interestEarned":0,"apy":0.1,"protocol":"alpha"}`
		reward   = `{"claimable":true,"mint":"M1","symbol":"S","amount":7,"new":[{}]}`
		head     = `{"totalDeposited":18446744073709551615,"totalInterestEarned":0,"currentApy":8.50,`
	)
	for body, want := range map[string][]string{
		head + `"positions":[` + position + `,` + position + `],"rewards":[` + reward + `]}`:   {"account"},
		head + `"positions":[],"rewards":[],"others":{"Positions":null}}`:                      {"account"},
		head + `"positions":[],"rewards":null}`:                                                nil,
		head + `"positions":[]}`:                                                               nil,
		head + `"positions":[{"mint":"M1"}],"rewards":[]}`:                                     nil,
		head + `"positions":[],"rewards":[],"Rewards":[]}`:                                     nil,
		head + `"positions":[],"rewards":[],"rewards":[]}`:                                     nil,
		head + `"positions":[],"rewards":[],"error":"gone"}`:                                   nil,
		head + `"positions":[],"rewards":[{"claimable":1,"mint":"M","symbol":"","amount":1}]}`: nil,
		`{"events":[]}`: {"history"},
		`{"total":9,"more":1,"events":[{"type":"deposit","amount":1,"timestamp":1700000000}]}`: {"history"},
		`{"events":[{"type":"withdraw"}],"total":1}`:                                           {"history"},
		`{"events":[{"type":"unheard","amount":"3","reason":null}]}`:                           {"history"},
		`{"events":[{"type":"deposit","amount":0}]}`:                                           nil,
		`{"events":[{"type":"rebalance"}],"total":1}`:                                          nil,
		`{"events":[{"type":"deposit","amount":1,"Amount":2}]}`:                                nil,
		`{"events":null}`: nil, `{"total":1}`: nil, `{"events":[null]}`: nil, `{"events":[],"events":[]}`: nil, `{"events":[],"total":-1}`: nil,
		`[]`: nil, `7`: nil, ``: nil, `{`: nil,
	} {
		assert.Equal(t, want, byHand(t, []byte(body)), body)
	}
}

func FuzzByHand(f *testing.F) {
	for _, name := range []string{"GetAccount", "ListHistory"} {
		file, err := os.ReadFile("testdata/" + name + ".json")
		require.NoError(f, err)
		f.Add(file)
	}
	f.Add([]byte(`{"totalDeposited":1,"totalInterestEarned":"2","currentApy":"","positions":[],"rewards":[{"mint":"\u00e9","symbol":"","amount":1e3,"claimable":false}]}`))
	f.Add([]byte(`{"events":[{"type":"","amount":1,"timestamp":"2024-01-02T03:04:05Z"}],"a":{"b":[[]]}}`))
	f.Fuzz(func(t *testing.T, body []byte) { byHand(t, body) })
}

// TestDecoders holds what is read by hand to the json tags.
func TestDecoders(t *testing.T) {
	account := func(body string) *Account {
		var a Account
		if !scanAccount([]byte(body), &a) {
			return nil
		}
		return &a
	}
	const head = `{"totalDeposited":1,"totalInterestEarned":2,"currentApy":3,"positions":[`
	amounts := map[string]string{"totalDeposited": "1", "totalInterestEarned": "2", "currentApy": "3", "positions": "[]", "rewards": "[]"}
	t.Run("Account", wiretest.Decoder[Account]{Fast: func(body []byte) *Account { return account(string(body)) }, Always: amounts}.Run)
	t.Run("Position", wiretest.Decoder[Position]{Fast: func(body []byte) *Position {
		if a := account(head + string(body) + `],"rewards":[]}`); a != nil {
			return &a.Positions[0]
		}
		return nil
	}, Always: map[string]string{"mint": `"M"`, "symbol": `"S"`, "depositType": `"boosted"`, "balance": "1", "interestEarned": "2", "apy": "3", "protocol": `"p"`}}.Run)
	t.Run("Reward", wiretest.Decoder[Reward]{Fast: func(body []byte) *Reward {
		if a := account(head + `],"rewards":[` + string(body) + `]}`); a != nil {
			return &a.Rewards[0]
		}
		return nil
	}, Always: map[string]string{"mint": `"M"`, "symbol": `"S"`, "amount": "1", "claimable": "true"}}.Run)
	page := func(body string) *HistoryPage {
		var p HistoryPage
		if !scanHistory([]byte(body), &p) {
			return nil
		}
		return &p
	}
	t.Run("HistoryPage", wiretest.Decoder[HistoryPage]{Fast: func(body []byte) *HistoryPage { return page(string(body)) }, Always: map[string]string{"events": "[]"}}.Run)
	t.Run("Event", wiretest.Decoder[Event]{Fast: func(body []byte) *Event {
		if p := page(`{"events":[` + string(body) + `]}`); p != nil {
			return &p.Items[0]
		}
		return nil
	}, Always: map[string]string{"amount": "5"}}.Run)
}
