package fees_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet/internal/fees"
)

// TestPut: the price goes into a request in the builder's own unit, unless its caller has chosen.
func TestPut(t *testing.T) {
	asked := fees.Asked{Price: 7, Priority: 9}
	deposit := lending.DepositRequest{Owner: "me"}
	fees.Put(&deposit, asked)
	require.Equal(t, lending.DepositRequest{Owner: "me", ComputeUnitPriceMicroLamports: new(uint64(7))}, deposit)

	own := uint64(3)
	routed := amm.BuildRequest{ComputeUnitPriceMicroLamports: &own}
	fees.Put(&routed, asked)
	require.Equal(t, uint64(7), *routed.ComputeUnitPriceMicroLamports)
	require.Equal(t, uint64(3), own, "what the caller passed is not changed")

	built := swap.BuildRequest{}
	fees.Put(&built, asked)
	require.Equal(t, swap.BuildRequest{ComputeUnitPriceMicroLamports: new(uint64(7)), DynamicComputeUnitLimit: new(true)}, built)
	built = swap.BuildRequest{DynamicComputeUnitLimit: new(false)}
	fees.Put(&built, asked)
	require.False(t, *built.DynamicComputeUnitLimit)
	for _, chosen := range []swap.BuildRequest{{PrioritizationFee: swap.PriorityBundleTip(5)}, {PrioritizationFee: swap.PriorityAuto()}} {
		built = chosen
		fees.Put(&built, asked)
		require.Equal(t, chosen, built)
	}

	order := swap.OrderRequest{}
	fees.Put(&order, asked)
	require.Equal(t, swap.PriorityLamports(9), order.PrioritizationFee)
	order.PrioritizationFee = swap.PriorityBundleTip(5)
	fees.Put(&order, asked)
	require.Equal(t, swap.PriorityBundleTip(5), order.PrioritizationFee)

	tipped := leverage.OpenRequest{TipLamports: 4}
	fees.Put(&tipped, asked)
	require.Equal(t, walletfi.Amount(4), tipped.TipLamports, "a tip is no priority fee")
	type DepositRequest struct{ PriorityFee *uint64 }
	foreign := DepositRequest{}
	fees.Put(&foreign, asked)
	require.Nil(t, foreign.PriorityFee, "of a type with the same name nothing is known")
}

// TestPutTip: a tip goes where its caller has chosen to tip, and nowhere else.
func TestPutTip(t *testing.T) {
	ctx := fees.WithTip(t.Context(), 7)
	for _, c := range []struct{ chosen, want swap.PrioritizationFee }{
		{swap.PriorityBundleTip(5), swap.PriorityBundleTip(7)}, {swap.PriorityLamports(5), swap.PriorityLamports(5)},
		{swap.PriorityAuto(), swap.PriorityAuto()}, {},
	} {
		order, built := swap.OrderRequest{PrioritizationFee: c.chosen}, swap.BuildRequest{PrioritizationFee: c.chosen}
		fees.PutTip(ctx, &order)
		fees.PutTip(ctx, &built)
		require.Equal(t, swap.OrderRequest{PrioritizationFee: c.want}, order)
		require.Equal(t, swap.BuildRequest{PrioritizationFee: c.want}, built)
	}
	tipped := leverage.OpenRequest{TipLamports: 4}
	for _, none := range []context.Context{t.Context(), fees.WithTip(t.Context(), 0)} {
		fees.PutTip(none, &tipped)
		require.Equal(t, walletfi.Amount(4), tipped.TipLamports)
	}
	fees.PutTip(ctx, &tipped)
	require.Equal(t, walletfi.Amount(7), tipped.TipLamports)
	foreign := struct{ TipLamports walletfi.Amount }{4}
	fees.PutTip(ctx, &foreign)
	require.Equal(t, walletfi.Amount(4), foreign.TipLamports)
}

// TestFarFrom: a second build is asked for where the first was a guess, and not for a little.
func TestFarFrom(t *testing.T) {
	perUnit, whole := []fees.Cost{{Price: 100, Priority: 20}}, []fees.Cost{{Price: 55, Priority: 1000}}
	a := fees.Asked{Price: 100, Priority: 1000}
	require.True(t, a.TakenBy(perUnit))
	require.True(t, a.TakenBy(whole))
	require.False(t, a.TakenBy([]fees.Cost{{Price: 101, Priority: 20}}))
	require.False(t, a.TakenBy([]fees.Cost{perUnit[0], {Price: 99, Priority: 20}}))
	for _, c := range []struct {
		costs []fees.Cost
		next  fees.Asked
		far   bool
	}{
		{perUnit, fees.Asked{Price: 110}, false}, {perUnit, fees.Asked{Price: 111}, true}, {perUnit, fees.Asked{Price: 1, Priority: 1}, false},
		{whole, fees.Asked{Priority: 1100}, false}, {whole, fees.Asked{Priority: 1101}, true}, {whole, fees.Asked{Priority: 900, Price: 1e6}, true},
		{whole, fees.Asked{Priority: 910}, false},
	} {
		require.Equal(t, c.far, a.FarFrom(c.next, c.costs), "%+v", c)
	}
}

// TestRoutes: a route is by the type and the mints, and no more than so many are kept.
func TestRoutes(t *testing.T) {
	var r fees.Routes
	name := func(mint string) string {
		return fees.Name(map[string]string{"request": "swap.OrderRequest", "InputMint": mint, "Amount": fmt.Sprint(len(mint))})
	}
	_, ok := r.Recall(name("a"))
	require.False(t, ok)
	r.Learn(name("a"), fees.Route{Writable: []string{"x"}})
	got, ok := r.Recall(fees.Name(map[string]string{"request": "swap.OrderRequest", "InputMint": "a", "Amount": "77"}))
	require.True(t, ok)
	require.Equal(t, fees.Route{Writable: []string{"x"}}, got)
	_, ok = r.Recall(name("b"))
	require.False(t, ok)
	for i := range 1023 {
		r.Learn(name(fmt.Sprint("m", i)), fees.Route{})
	}
	_, ok = r.Recall(name("a"))
	require.True(t, ok)
	r.Learn(name("one too many"), fees.Route{})
	_, ok = r.Recall(name("a"))
	require.False(t, ok)
}
