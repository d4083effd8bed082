package e2e

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/swap"
)

// moneyRecords are the types of which a field must be present.
var moneyRecords = map[string]reflect.Type{
	"lending.Account":           reflect.TypeFor[lending.Account](),
	"lending.Position":          reflect.TypeFor[lending.Position](),
	"lending.Reward":            reflect.TypeFor[lending.Reward](),
	"lending.PendingWithdrawal": reflect.TypeFor[lending.PendingWithdrawal](),
	"lending.Pool":              reflect.TypeFor[lending.Pool](),
	"lending.Referrer":          reflect.TypeFor[lending.Referrer](),
	"lending.ReferrerClaim":     reflect.TypeFor[lending.ReferrerClaim](),
	"lending.CompletedDeposit":  reflect.TypeFor[lending.CompletedDeposit](),
	"leverage.Offer":            reflect.TypeFor[leverage.Offer](),
	"predictmeta.Level":         reflect.TypeFor[predictmeta.Level](),
	"predictmeta.Trade":         reflect.TypeFor[predictmeta.Trade](),
	"predictmeta.TradeUpdate":   reflect.TypeFor[predictmeta.TradeUpdate](),
	"providerswap.Quote":        reflect.TypeFor[providerswap.Quote](),
	"swap.Fill":                 reflect.TypeFor[swap.Fill](),
	"swap.OrderQuote":           reflect.TypeFor[swap.OrderQuote](),
}

// amountsThatMayLack are the amounts of answers that are not held to be there, with
// the reason.
var amountsThatMayLack = map[string]string{
	"amm.storedQuote.amount":       "of a stored form",
	"lending.Event.amount":         "of a deposit and a rebalance only: TestMoneyOfHistory",
	"smartaccount.Transaction.fee": "a list does not have it",
	"swap.OrderStatus.inAmount":    "an order that is pending may not have been filled",
	"swap.OrderStatus.outAmount":   "an order that is pending may not have been filled",
	"swap.askedFor.amount":         "of a stored form",
}

// TestMoneyIsPresent removes each field that money hangs on, and makes it null, an
// empty text and 0: only the explicit 0 is an answer.
func TestMoneyIsPresent(t *testing.T) {
	fields := 0
	for name, typ := range moneyRecords {
		whole := map[string]any{"transaction": "AQID", "signature": wiretest.Signature(7)}
		var money []string
		for _, f := range reflect.VisibleFields(typ) {
			switch tag := wire.TagOf(f); {
			case tag.Present:
				money = append(money, f.Tag.Get("json"))
				whole[f.Tag.Get("json")] = 0
			case tag.Key:
				whole[f.Tag.Get("json")] = wiretest.Address(7)
			case (tag.Said || tag.Required) && whole[f.Tag.Get("json")] == nil:
				filled := reflect.New(f.Type)
				wiretest.Fill(rand.New(rand.NewPCG(1, 2)), filled.Interface())
				whole[f.Tag.Get("json")] = filled.Interface()
				if f.Type.Kind() == reflect.Slice {
					whole[f.Tag.Get("json")] = []any{}
				}
			}
		}
		require.NotEmpty(t, money, name)
		read := func(record map[string]any) error {
			text, err := json.Marshal(record)
			require.NoError(t, err)
			return wire.Unmarshal(text, reflect.New(typ).Interface())
		}
		require.NoError(t, read(whole), "%s with zeros", name)
		for _, member := range money {
			fields++
			for _, nothing := range []any{nil, ""} {
				record := maps.Clone(whole)
				record[member] = nothing
				requireUnread(t, read(record), name, member)
			}
			record := maps.Clone(whole)
			delete(record, member)
			requireUnread(t, read(record), name, member)
			record[strings.ToUpper(member)] = 0 // in another case it is there
			require.NoError(t, read(record), name)
			record[member] = nil // but for the exact name, which wins
			requireUnread(t, read(record), name, member)
		}
	}
	require.Greater(t, fields, 20)
	t.Logf("%d fields of %d records, absent, null or empty: 0 read as 0", fields, len(moneyRecords))
}

func requireUnread(t *testing.T, err error, name, member string) {
	t.Helper()
	require.ErrorIs(t, err, walletfi.ErrDecode, "%s.%s", name, member)
	require.ErrorContains(t, err, member, name)
}

// TestMoneyOfHistory: a withdrawal has no documented amount, the other events do.
func TestMoneyOfHistory(t *testing.T) {
	var page lending.HistoryPage
	const rest = `"timestamp":1700000000,"mint":"M1111111111111111111111111111111","depositType":"regular","signature":"S111111111111111111111111111111111111111111111111111111111111111"}`
	err := wire.Unmarshal([]byte(`{"total":5,"events":[{"type":"deposit","amount":null,`+rest+`,{"type":"withdraw",`+rest+`,
		{"type":"rebalance",`+rest+`,{"type":"deposit","amount":0,`+rest+`,{"type":"deposit","amount":"",`+rest+`]}`), &page)
	unread := wiretest.As[*walletfi.UnreadError](t, err)
	require.Len(t, page.Items, 5)
	require.Len(t, unread.Records, 3)
	for i, index := range []int{0, 2, 4} {
		require.Equal(t, index, unread.Records[i].Index)
		require.True(t, unread.Records[i].Kept)
		require.EqualError(t, unread.Records[i].Err, "field amount: Event.amount decides, and is missing")
	}
	require.Equal(t, `{"type":"deposit","amount":null,`+rest, unread.Records[0].Raw.String())
}

// TestAmountsAreHeld finds each Amount of an answer in the source, and requires that
// it is held to be there, or that a reason is stated.
func TestAmountsAreHeld(t *testing.T) {
	held, missing := map[string]bool{}, maps.Clone(amountsThatMayLack)
	for _, service := range sandbox.Services() {
		amountFields(t, string(service), func(typ, member string, tag wire.Tag) {
			name := string(service) + "." + typ
			switch {
			case tag.Present:
				held[name] = true
				require.Contains(t, moneyRecords, name, "%s", member)
			case tag.Required, tag.Said:
			default:
				require.Contains(t, amountsThatMayLack, name+"."+member, "neither present nor with a reason")
				delete(missing, name+"."+member)
			}
		})
	}
	require.Empty(t, missing, "no such amounts")
	require.Greater(t, len(held), 8)
}

// amountFields visits the fields of type Amount that are read: a request writes them
// with an option, or is named so.
func amountFields(t *testing.T, dir string, visit func(typ, member string, tag wire.Tag)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files, dir)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		amountFieldsOf(file, visit)
	}
}

func amountFieldsOf(file *ast.File, visit func(typ, member string, tag wire.Tag)) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || strings.HasSuffix(spec.Name.Name, "Request") {
			return true
		}
		fields, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, f := range fields.Fields.List {
			s, isNamed := f.Type.(*ast.SelectorExpr)
			if !isNamed || s.Sel.Name != "Amount" || f.Tag == nil {
				continue
			}
			tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`"))
			member, options, _ := strings.Cut(tag.Get("json"), ",")
			if member != "" && !slices.Contains(strings.Split(options, ","), "string") {
				visit(spec.Name.Name, member, wire.TagOf(reflect.StructField{Tag: tag}))
			}
		}
		return true
	})
}
