package swap_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/swap"
)

var key = map[string]string{"x-api-key": "k-123456", "Authorization": ""}

// quoteOf is the quote in GetQuote.json as the service would have given it.
func quoteOf(t testing.TB, req swap.QuoteRequest) *swap.Quote {
	t.Helper()
	body := strings.Replace(wiretest.File(t, "GetQuote.json"), "1000000000", req.Amount.String(), 1)
	if fee := req.PlatformFeeBps; fee != nil {
		body = strings.Replace(body, `"feeBps":10`, `"feeBps":`+strconv.Itoa(*fee), 1)
	}
	c, _ := carriedClient(t, keyed(), map[string][]answer{"/quote": {{Status: 200, Body: body}}})
	q, err := c.GetQuote(t.Context(), req)
	require.NoError(t, err)
	return q
}

func plainQuote(t testing.TB) *swap.Quote {
	return quoteOf(t, swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000})
}

func TestWireQuotes(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*swap.Client).GetQuote, swap.QuoteRequest{
			InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000, Slippage: walletfi.SlippageBps(50),
			DEXes: []string{"alpha", "beta x"}, ExcludeDEXes: []string{"gamma"},
			PlatformFeeBps: new(10), PlatformFeeMode: swap.FeeInOutputMint,
			SponsoredSwap: new(false), DestinationSwap: new(true), OnlyDirectRoutes: new(false),
			MaxRouteLength: new(1), OnlyJITRoutes: new(false), ForBundle: new(false),
		}),
		Method: "GET",
		Target: "/quote?amount=1000000000&destinationSwap=true&dexes=alpha%2Cbeta+x&excludeDexes=gamma&forBundle=false&inputMint=" + sol +
			"&maxRouteLength=1&onlyDirectRoutes=false&onlyJitRoutes=false&outputMint=" + usdc +
			"&platformFeeBps=10&platformFeeMode=outputMint&slippageBps=50&sponsoredSwap=false",
		Header: key, File: "GetQuote.json",
		Then: func(t *testing.T, result any) {
			q := result.(*swap.Quote)
			age, known := q.Age()
			require.True(t, known)
			require.Less(t, age, time.Minute)
			require.Equal(t, sol, q.InputMint)
			require.Equal(t, usdc, q.OutputMint)
			require.Equal(t, walletfi.Amount(1_000_000_000), q.InAmount)
			require.Equal(t, walletfi.Amount(150_000_000), q.OutAmount)
			require.Equal(t, walletfi.Amount(149_250_000), q.MinOutAmount)
			require.Equal(t, walletfi.Amount(149_250_000), q.OtherAmountThreshold)
			require.Equal(t, "0.10", q.PriceImpactPct.String())
			require.Equal(t, walletfi.SlippageBps(50), q.Slippage)
			require.Equal(t, uint64(1<<64-1), q.ContextSlot)
			require.False(t, q.ForBundle)
			require.Equal(t, "req-é<7> <&> é", q.RequestID)
			require.Equal(t, uint64(183_000), *q.SimulatedComputeUnits)
			require.Equal(t, &swap.PlatformFee{Amount: 150_000, FeeBps: 10}, q.PlatformFee)
			require.Equal(t, []swap.QuoteRouteStep{{
				RouteStep: swap.RouteStep{Venue: "alpha", MarketKey: "K1", InputMint: sol, OutputMint: usdc, InAmount: new(walletfi.Amount(1_000_000_000)), OutAmount: new(walletfi.Amount(150_000_000))},
				Data:      "b64==", InputMintDecimals: new(9), OutputMintDecimals: new(6),
			}}, q.RoutePlan)
		},
	}, {
		Name: "GetQuote, least",
		Call: wiretest.By(client, (*swap.Client).GetQuote,
			swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: maxAmount}),
		Method: "GET", Target: "/quote?amount=18446744073709551615&inputMint=" + sol + "&outputMint=" + usdc,
		Reply: wiretest.FileWith(t, "GetQuote.json",
			`{"inAmount":18446744073709551615,"outAmount":"1","minOutAmount":1,"otherAmountThreshold":1,"platformFee":null,"simulatedComputeUnits":null}`),
		Then: func(t *testing.T, result any) {
			q := result.(*swap.Quote)
			require.Equal(t, maxAmount, q.InAmount)
			require.Equal(t, walletfi.SlippageBps(50), q.Slippage)
			require.Nil(t, q.PlatformFee)
			require.Nil(t, q.SimulatedComputeUnits)
		},
	}, {
		Name:   "GetQuote, without an amount",
		Call:   wiretest.By(client, (*swap.Client).GetQuote, swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 2}),
		Method: "GET", Target: "/quote?amount=2&inputMint=" + sol + "&outputMint=" + usdc,
		Reply: `{"inAmount":"2","outAmount":null}`,
		Err:   func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrDecode) },
	}})
}

func TestWireSwaps(t *testing.T) {
	quote := wiretest.File(t, "GetQuote.json")
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*swap.Client).BuildSwap, swap.BuildRequest{
			Owner: user, Quote: plainQuote(t), PrioritizationFee: swap.PriorityMultiplied(1.5, 100_000),
			DynamicComputeUnitLimit: new(false), WrapAndUnwrapSOL: new(false), FeeAccount: other,
			DestinationTokenAccount: &swap.DestinationTokenAccount{Address: usdc}, Sponsor: other,
			IncludeSandwichMitigationAccount: new(false),
			PositiveSlippage:                 &swap.PositiveSlippage{Mode: swap.PositiveSlippageSplit},
		}),
		Method: "POST", Target: "/swap", Header: key,
		Body: `{"userPublicKey":"` + user + `","prioritizationFeeLamports":{"autoMultiplier":1.5,"maxLamports":100000},
			"dynamicComputeUnitLimit":false,"wrapAndUnwrapSol":false,"feeAccount":"` + other + `",
			"destinationTokenAccount":{"address":"` + usdc + `","createIfNeeded":false},"sponsor":"` + other + `",
			"includeSandwichMitigationAccount":false,"positiveSlippage":{"mode":"split","bps":0},"quoteResponse":` + quote + `}`,
		File: "BuildSwap.json",
		Then: func(t *testing.T, result any) {
			s := result.(*swap.Transaction)
			require.Equal(t, uint64(200_000), s.ComputeUnitLimit)
			require.Zero(t, s.PrioritizationFeeLamports)
			require.Equal(t, swap.PrioritizationType("jackpot"), s.PrioritizationType)
			u := s.Unsigned()
			require.Equal(t, []walletfi.EncodedTransaction{walletfi.Base64Transaction("AQID")}, u.Transactions)
			require.Equal(t, uint64(312), u.LastValidBlockHeight)
		},
	}, {
		Name: "BuildSwap, least",
		Call: wiretest.By(client, (*swap.Client).BuildSwap,
			swap.BuildRequest{Owner: user, Quote: plainQuote(t), ComputeUnitPriceMicroLamports: new(uint64(0))}),
		Method: "POST", Target: "/swap", Header: key,
		Body: `{"userPublicKey":"` + user + `","computeUnitPriceMicroLamports":0,"quoteResponse":` + quote + `}`,
		File: "BuildSwap.json",
		Then: func(t *testing.T, result any) {
			wiretest.Intent(t, walletfi.Intent{
				Service: "swap", Owner: user,
				Spend:                 []walletfi.Asset{{Mint: sol, Amount: 1_000_000_000}},
				Receive:               []walletfi.Asset{{Mint: usdc, Amount: 149_250_000}},
				MaxNetworkFeeLamports: new(walletfi.Amount(20_000)),
			}, result.(*swap.Transaction).Unsigned().Intent)
		},
	}, {
		Call: wiretest.By(client, (*swap.Client).BuildSwapInstructions,
			swap.BuildRequest{Owner: user, Quote: plainQuote(t), PrioritizationFee: swap.PriorityDisabled()}),
		Method: "POST", Target: "/swap-instructions", Header: key,
		Body: `{"userPublicKey":"` + user + `","prioritizationFeeLamports":"disabled","quoteResponse":` + quote + `}`,
		File: "BuildSwapInstructions.json",
		Then: func(t *testing.T, result any) {
			s := result.(*swap.Instructions)
			require.Equal(t, []swap.Instruction{
				{ProgramID: wiretest.Address(1), Accounts: []swap.AccountMeta{{PublicKey: wiretest.Address(1), IsSigner: true}, {PublicKey: wiretest.Address(2), IsWritable: true}},
					AccountsRaw: walletfi.Document(`[{"pubkey": "` + wiretest.Address(1) + `", "isSigner": true, "isWritable": "false"}, {"pubkey": "` + wiretest.Address(2) + `", "isSigner": false, "isWritable": true, "index": 3}]`),
					Data:        []byte{1, 2, 3, 255}},
				{ProgramID: wiretest.Address(2), AccountsRaw: walletfi.Document(`["A1", "A2"]`), Data: []byte{}},
				{ProgramID: wiretest.Address(3), AccountsRaw: walletfi.Document(`[{"account": "A1"}, {"key": "A2"}]`), Data: []byte{}},
				{ProgramID: wiretest.Address(4), Accounts: []swap.AccountMeta{}, AccountsRaw: walletfi.Document(`[]`), Data: []byte{0}},
			}, s.Instructions)
			require.Equal(t, []string{wiretest.Address(1), wiretest.Address(2)}, s.AddressLookupTableAddresses)
			require.Zero(t, s.ComputeUnitLimit)
			intent := s.Intent()
			require.Equal(t, user, intent.Owner)
			require.Equal(t, new(walletfi.Amount(20_000)), intent.MaxNetworkFeeLamports)
			intent.Spend[0].Amount = 0
			require.Equal(t, walletfi.Amount(1_000_000_000), s.Intent().Spend[0].Amount, "a copy")
		},
	}, {
		Name:   "BuildSwapInstructions, none",
		Call:   wiretest.By(client, (*swap.Client).BuildSwapInstructions, swap.BuildRequest{Owner: user, Quote: plainQuote(t)}),
		Method: "POST", Target: "/swap-instructions", Body: `{"userPublicKey":"` + user + `","quoteResponse":` + quote + `}`,
		Reply: `{"instructions":[],"addressLookupTableAddresses":[],"computeUnitLimit":0}`,
		Err:   func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrDecode) },
	}, {
		Name:   "BuildSwapInstructions, no list",
		Call:   wiretest.By(client, (*swap.Client).BuildSwapInstructions, swap.BuildRequest{Owner: user, Quote: plainQuote(t)}),
		Method: "POST", Target: "/swap-instructions", Body: `{"userPublicKey":"` + user + `","quoteResponse":` + quote + `}`,
		Reply: `{"instructions":null}`,
		Err:   func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrDecode) },
	}, {
		Name:   "BuildSwapInstructions, no program",
		Call:   wiretest.By(client, (*swap.Client).BuildSwapInstructions, swap.BuildRequest{Owner: user, Quote: plainQuote(t)}),
		Method: "POST", Target: "/swap-instructions", Body: `{"userPublicKey":"` + user + `","quoteResponse":` + quote + `}`,
		Reply: `{"instructions":[{"accounts":[],"data":""}]}`,
		Err:   func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrDecode) },
	}})
}
