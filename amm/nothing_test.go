package amm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestAnswersThatSayNothing: of no documented shape, and no answer all the same.
// Nor is one that says something twice an answer.
func TestAnswersThatSayNothing(t *testing.T) {
	mint := wiretest.Address(1)
	ask := func(body string) map[string]error {
		c := answering(t, body, body)
		_, mints := c.ListMints(t.Context())
		_, pools := c.ListPoolsByIDs(t.Context(), amm.PoolsByIDsRequest{IDs: []string{mint}})
		_, byMints := c.ListPoolsByMints(t.Context(), amm.PoolsByMintsRequest{Mint1: mint})
		_, all := c.ListPools(t.Context(), amm.PoolsRequest{})
		return map[string]error{"mints": mints, "pools": pools, "by mints": byMints, "all": all}
	}
	for _, body := range []string{
		`{}`, `""`, `"x"`, `5`, `true`, `{"success":true}`, `{"id":"1","success":true,"data":{}}`, `{"success":true,"data":""}`, `{"success":true,"data":"x"}`, `{"success":true,"data":{"a":null}}`,
		`{"success":true,"data":[{"id":"1"}],"data":[{"id":"1"}]}`, `{"success":true,"data":{"count":1,"data":[{"id":"1"}],"data":[{"id":"1"}]}}`,
	} {
		for call, err := range ask(body) {
			require.ErrorIs(t, err, walletfi.ErrDecode, "%s: %s", call, body)
		}
	}
	for _, body := range []string{`[]`, `{"id":"1","success":true,"data":[]}`, `{"id":"1","success":true,"data":null}`, `{"success":true,"data":{"` + mint + `":"1"}}`, `{"` + mint + `":"1"}`} {
		for call, err := range ask(body) {
			require.NoError(t, err, "%s: %s", call, body)
		}
	}
}
