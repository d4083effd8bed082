package e2e

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// setRow is a builder whose answer holds several transactions.
type setRow struct {
	most int    // that its intent allows
	each string // what each is for
}

// setRows are the builders of lists. Every other builder answers one transaction, or instructions.
var setRows = map[string]setRow{
	"amm.BuildSwap":             {4, "a part of the route, in order"},
	"burnclose.BuildCloseAll":   {16, "closes accounts; they are independent"},
	"leverage.BuildPartialSell": {2, "splits the position; closes one half"},
}

// TestSets: over all builders, an answer that is a list has a row, its intent bounds the list,
// and the guard refuses a longer one by G7.
func TestSets(t *testing.T) {
	s := flows.Start(t, sandbox.Config{NoLimits: true, ManualClock: true, InstantConfirmation: true, Shape: 1})
	met := map[string]bool{}
	for _, b := range flows.Builders(t, s) {
		method, _, _ := strings.Cut(strings.ReplaceAll(b.Name, " ", ","), ",")
		name := string(b.Service) + "." + method
		t.Run(string(b.Service)+"."+b.Name, func(t *testing.T) {
			if b.Prepare != nil {
				b.Prepare()
			}
			u, err := b.Build(t.Context())
			require.NoError(t, err)
			row, isList := setRows[name]
			met[name] = true
			if !isList {
				require.Len(t, u.Transactions, 1)
				return
			}
			require.NotEmpty(t, row.each)
			require.Equal(t, row.most, u.Intent.MaxTransactions)
			require.LessOrEqual(t, len(u.Transactions), row.most)
			u.Transactions = slices.Repeat(u.Transactions, row.most+1)[:row.most+1]
			_, _, err = signing.NewGuard(signing.Policy{}).CheckSet(t.Context(), u)
			var refusal *signing.GuardError
			require.ErrorAs(t, err, &refusal)
			require.Equal(t, signing.RuleSet, refusal.Rule)
		})
	}
	page, err := os.ReadFile("../docs/signing.md")
	require.NoError(t, err)
	for name := range setRows {
		require.Contains(t, string(page), "\n| "+name+" | ", "the page says where stopping is safe")
	}
	for service, client := range flows.Clients {
		for m := range client.Methods() {
			name := string(service) + "." + m.Name
			if _, has := setRows[name]; strings.HasPrefix(m.Name, "Build") {
				require.Equal(t, answersSet(m), has, "%s: a row for a list, and for a list only", name)
				require.True(t, met[name] || !signs(m), "%s: never built", name)
			}
		}
	}
}

// signs reports whether a builder's answer can be signed; that of the others is instructions.
func signs(m reflect.Method) bool {
	_, ok := m.Type.Out(0).MethodByName("Unsigned")
	return ok
}

// answersSet reports whether a builder's answer has room for more than one transaction.
func answersSet(m reflect.Method) bool {
	transaction, n := reflect.TypeFor[walletfi.EncodedTransaction](), 0
	for _, f := range reflect.VisibleFields(m.Type.Out(0).Elem()) {
		switch {
		case f.Type.Implements(transaction):
			n++
		case f.Type.Kind() == reflect.Slice && f.Type.Elem().Implements(transaction):
			return true
		}
	}
	return n > 1
}
