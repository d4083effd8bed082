package fees_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet/internal/fees"
	"github.com/walletfi/walletfi-go/webhooks"
)

// clients are those of all services.
var clients = []any{
	(*lending.Client)(nil), (*smartaccount.Client)(nil), (*leverage.Client)(nil), (*predictmeta.Client)(nil),
	(*swap.Client)(nil), (*amm.Client)(nil), (*providerswap.Client)(nil), (*burnclose.Client)(nil),
	(*onchaindata.Client)(nil), (*socialsearch.Client)(nil), (*webhooks.Client)(nil),
}

// units are the members for a fee that the services document, and in which unit.
var units = map[string]fees.Unit{
	"ComputeUnitPriceMicroLamports": fees.PerUnit, "PrioritizationFee": fees.Priority, "TipLamports": fees.Tip,
}

// TestEachBuilderHasARow: of each builder of each service, the table has its request, each member
// for a fee, a tip or a compute limit, and the unit that the service counts it in.
func TestEachBuilderHasARow(t *testing.T) {
	builders, of, seen := 0, map[fees.Unit]int{}, map[string]bool{}
	for _, client := range clients {
		for m := range reflect.TypeOf(client).Methods() {
			if !strings.HasPrefix(m.Name, "Build") {
				continue
			}
			builders++
			request := m.Type.In(2)
			row, ok := fees.RowOf(reflect.Zero(request).Interface())
			require.True(t, ok, "%s: the table has no row for %s", m.Name, request)
			seen[request.String()] = true
			of[row.Unit]++
			require.Equal(t, row.Unit == fees.None, row.Member == "", request)
			known := 0
			for _, f := range reflect.VisibleFields(request) {
				if f.Name == "MaxTipLamports" { // the most that the guard lets pass
					continue
				}
				text := strings.ToLower(f.Name)
				if !strings.Contains(text, "priorit") && !strings.Contains(text, "tiplamports") && !strings.Contains(text, "computeunit") {
					continue
				}
				require.Contains(t, []string{row.Member, row.Instead, row.Limit}, f.Name, request)
				require.Equal(t, "-", f.Tag.Get("asked"), "%s.%s would make another request", request, f.Name)
				known++
				if f.Name == row.Member {
					unit, ok := units[f.Name+" of "+strings.Split(request.String(), ".")[0]]
					if !ok {
						unit = units[f.Name]
					}
					require.Equal(t, unit, row.Unit, "%s.%s", request, f.Name)
				}
			}
			require.Equal(t, row.Member != "", known > 0, "%s has no %s", request, row.Member)
			puts(t, request, row)
		}
	}
	require.Equal(t, 28, builders)
	require.Equal(t, map[fees.Unit]int{fees.None: 11, fees.PerUnit: 12, fees.Priority: 1, fees.Tip: 4}, of)
	for name := range fees.Table {
		require.True(t, seen[name], "%s is of no builder", name)
	}
}

// puts holds a request, after a price was put in, against its row.
func puts(t *testing.T, request reflect.Type, row fees.Row) {
	t.Helper()
	v := reflect.New(request)
	fees.Put(v.Interface(), fees.Asked{Price: 7, Priority: 9})
	require.Equal(t, row.Unit == fees.None || row.Unit == fees.Tip, v.Elem().IsZero(), request)

	v = reflect.New(request)
	fees.PutTip(fees.WithTip(t.Context(), 7), v.Interface())
	require.Equal(t, row.Unit != fees.Tip, v.Elem().IsZero(), request)
	if row.Unit == fees.Tip {
		require.Equal(t, walletfi.Amount(7), v.Elem().FieldByName(row.Member).Interface(), request)
	}
}
