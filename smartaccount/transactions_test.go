package smartaccount_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// ledger serves total transactions, at most page at once, and fails from
// offset broken on where that is above 0.
func ledger(total, page, broken int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		if broken > 0 && offset >= broken {
			reply(403, `{"error": {"code": "FORBIDDEN", "message": "no"}}`)(w, r)
			return
		}
		var items []string
		for i := offset; i < min(total, offset+page); i++ {
			items = append(items, fmt.Sprintf(`{"id": "tx_%d", "signature": "S111111111111111111111111111111111111111111111111111111111111111", "status": "confirmed"}`, i))
		}
		fmt.Fprintf(w, `{"transactions": [%s], "total": %d, "limit": %d, "offset": %d}`, strings.Join(items, ","), total, page, offset)
	}
}

func TestAllTransactions(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		req     smartaccount.TransactionsRequest
		ids     []string
		asked   []string
		err     error
	}{
		"by pages": {ledger(5, 2, 0), smartaccount.TransactionsRequest{Limit: new(2), Offset: new(1)},
			[]string{"tx_1", "tx_2", "tx_3", "tx_4"}, []string{"?limit=2&offset=1", "?limit=2&offset=3"}, nil},
		"by the service's pages": {ledger(3, 2, 0), smartaccount.TransactionsRequest{},
			[]string{"tx_0", "tx_1", "tx_2"}, []string{"", "?offset=2"}, nil},
		"none": {ledger(0, 2, 0), smartaccount.TransactionsRequest{}, nil, []string{""}, nil},
		"to the first error": {ledger(9, 2, 2), smartaccount.TransactionsRequest{Limit: new(2)},
			[]string{"tx_0", "tx_1"}, []string{"?limit=2", "?limit=2&offset=2"}, walletfi.ErrForbidden},
		"invalid": {ledger(9, 2, 0), smartaccount.TransactionsRequest{Limit: new(-2)}, nil, nil, walletfi.ErrInvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			server := wiretest.Serve(t, c.handler)
			var ids, asked []string
			var last error
			for tx, err := range client(t, server.URL).AllTransactions(t.Context(), "acc_1", c.req) {
				require.NoError(t, last, "nothing comes after an error")
				if last = err; err == nil {
					ids = append(ids, tx.ID)
				}
			}
			require.ErrorIs(t, last, c.err)
			for _, r := range server.Requests() {
				asked = append(asked, strings.TrimPrefix(r.Target, "/api/v1/accounts/acc_1/transactions"))
			}
			assert.Equal(t, c.ids, ids)
			assert.Equal(t, c.asked, asked)
		})
	}
}

func TestInstructionsOfARequestAreNotChanged(t *testing.T) {
	server := wiretest.Serve(t, reply(200, `{"id": "tx_1", "signature": "S111111111111111111111111111111111111111111111111111111111111111", "status": "confirmed", "slot": 5}`))
	instructions := []smartaccount.Instruction{{ProgramID: "P1111111111111111111111111111111"}}
	_, err := client(t, server.URL).ExecuteTransaction(t.Context(), "acc_1", smartaccount.ExecuteTransactionRequest{Instructions: instructions})
	require.NoError(t, err)
	require.Equal(t, []smartaccount.Instruction{{ProgramID: "P1111111111111111111111111111111"}}, instructions)
}

// TestExecutedOrNot: what the status says of a transaction that exists comes with it.
func TestExecutedOrNot(t *testing.T) {
	for status, want := range map[string]error{
		`"confirmed"`: nil, `"CONFIRMED"`: nil, `"unconfirmed"`: walletfi.ErrOutcomeUnknown, `"processed"`: walletfi.ErrOutcomeUnknown,
		`"submitted"`: walletfi.ErrOutcomeUnknown, `"active"`: walletfi.ErrOutcomeUnknown, `"x"`: walletfi.ErrOutcomeUnknown, `"failed"`: walletfi.ErrRejected, `"Rejected"`: walletfi.ErrRejected,
		`"reverted"`: walletfi.ErrRejected, `"error"`: walletfi.ErrRejected, `"failure"`: walletfi.ErrRejected,
		`"dropped"`: walletfi.ErrOutcomeUnknown, `"EXPIRED"`: walletfi.ErrOutcomeUnknown, `"timed_out"`: walletfi.ErrOutcomeUnknown,
		`"cancelled"`: walletfi.ErrOutcomeUnknown, `"aborted"`: walletfi.ErrOutcomeUnknown, `"finalized"`: walletfi.ErrOutcomeUnknown,
		`null`: walletfi.ErrOutcomeUnknown, `""`: walletfi.ErrOutcomeUnknown, `{"a":1}`: walletfi.ErrOutcomeUnknown,
	} {
		server := wiretest.Serve(t, reply(200, `{"id":"tx_1","signature":"S111111111111111111111111111111111111111111111111111111111111111","slot":5,"status":`+status+`}`))
		tx, err := client(t, server.URL).ExecuteTransaction(t.Context(), "acc_1", smartaccount.ExecuteTransactionRequest{
			Instructions: []smartaccount.Instruction{{ProgramID: "P1111111111111111111111111111111"}},
		})
		require.Equal(t, "tx_1", tx.ID, status)
		require.Len(t, server.Requests(), 1)
		if want != nil {
			require.ErrorIs(t, err, want, status)
		}
		switch want {
		case nil:
			require.NoError(t, err, status)
		case walletfi.ErrRejected:
			require.ErrorIs(t, err, want, status)
			require.ErrorContains(t, err, "tx_1")
			require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		default:
			require.Equal(t, "S111111111111111111111111111111111111111111111111111111111111111", wiretest.As[*walletfi.OutcomeUnknownError](t, err, status).Signature)
		}
	}
}
