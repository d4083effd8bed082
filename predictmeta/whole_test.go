package predictmeta_test

import "strings"

// Records with the members that are documented, with @ for the ticker, or the id of a trade.
const (
	wholeEvent  = `{"ticker":"@","title":"t","status":"active","close_time":"2027-01-01T00:00:00Z"}`
	wholeMarket = `{"ticker":"@","event_ticker":"EV-1","title":"t","yes_mint":"Y11111111111111111111111111111111","no_mint":"N11111111111111111111111111111111","ledger_mint":"L11111111111111111111111111111111","status":"active",` +
		`"last_price":0.24,"yes_price":0.25,"no_price":0.75,"volume_24h":1,"open_interest":1,"created_at":"2026-01-01T00:00:00Z"}`
	wholeSummary = `{"ticker":"@","yes_mint":"Y11111111111111111111111111111111","no_mint":"N11111111111111111111111111111111","last_price":0.24}`
	wholeTrade   = `{"id":"@","ticker":"MK-1","price":0.5,"quantity":0,"side":"buy","outcome":"yes","timestamp":"2026-01-01T00:00:00Z"}`
)

func called(record, name string) string { return strings.Replace(record, "@", name, 1) }
