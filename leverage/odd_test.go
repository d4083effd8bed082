package leverage_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/leverage"
)

// TestOddButHonest: what another vendor may send within the documentation is taken without an
// error.
func TestOddButHonest(t *testing.T) {
	const address = `"P1111111111111111111111111111111"`
	for name, row := range map[string]struct{ was, now, filter string }{
		"no address":                 {`{`, `{`, ""},
		"under another name":         {`{`, `{"positionAddress":` + address + `,`, ""},
		"an address of null":         {`{`, `{"address":null,`, ""},
		"an empty address":           {`{`, `{"address":"",`, ""},
		"an address and its twin":    {`{`, `{"address":` + address + `,"positionAddress":` + address + `,`, ""},
		"a status in another case":   {`{`, `{"status":"executed",`, "EXECUTED"},
		"a status that is new":       {`{`, `{"status":"PENDING_CLOSE",`, "EXECUTED"},
		"a status of null":           {`{`, `{"status":null,`, "ALL"},
		"no status":                  {`{`, `{`, "ALL"},
		"nothing borrowed":           {`"currentLtv":"0.66"`, `"status":"CLOSED","currentLtv":"0"`, ""},
		"closed, of all":             {`{`, `{"status":"CLOSED",`, "ALL"},
		"closed, of whatever":        {`{`, `{"status":"CLOSED",`, ""},
		"a price of 0":               {`"liquidationPrice":"98.7"`, `"liquidationPrice":0`, ""},
		"a price of 1e-7":            {`"liquidationPrice":"98.7"`, `"liquidationPrice":1e-7`, ""},
		"a ratio above 1":            {`"currentLtv":"0.66"`, `"currentLtv":1.02`, ""},
		"a ratio in percent":         {`"currentLtv":"0.66"`, `"currentLtv":66`, ""},
		"a profit below 0":           {`"unrealizedPnlUsd":"-12.5"`, `"unrealizedPnlUsd":-12.5e2`, ""},
		"an amount with a fraction":  {`"collateralAmount":"7"`, `"collateralAmount":"7.000"`, ""},
		"a token without an icon":    {`{`, `{"baseToken":{"symbol":"S","name":"","decimals":0,"priceUsd":"0","logoUri":null},`, ""},
		"a token of null":            {`{`, `{"baseToken":null,`, ""},
		"a member that is new":       {`{`, `{"offer":{"address":7},`, ""},
		"a system program's address": {`{`, `{"address":"11111111111111111111111111111111",`, ""},
	} {
		position := strings.Replace(wholePosition, row.was, row.now, 1)
		for _, body := range []string{`[` + position + `]`, `{"data":{"positions":[` + position + `]}}`} {
			c, _ := carriedClient(t, ok(body))
			require.NoError(t, wiretest.Error(c.ListPositions(t.Context(), leverage.PositionsRequest{
				Owner: "W1", Status: leverage.PositionStatus(row.filter),
			})), name)
		}
	}
}
