package e2e

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/swap"
)

var (
	floorOwner, floorIn, floorOut = wiretest.Address(3), wiretest.Address(5), wiretest.Address(6)

	onePercent = walletfi.SlippageBps(100)
	atTheFill  = new(time.Duration(0))
)

const floorsAt = "https://service.example"

// least expects n of the output.
func least(n walletfi.Amount) []walletfi.Asset { return []walletfi.Asset{{Mint: floorOut, Amount: n}} }

// floorOf is the intent of what a builder answers.
func floorOf[A interface{ Unsigned() walletfi.Unsigned }](built A, err error) (walletfi.Intent, error) {
	if err != nil {
		return walletfi.Intent{}, err
	}
	return built.Unsigned().Intent, nil
}

func swapAt(o walletfi.Options) *swap.Client {
	return flows.Must(swap.New(swap.Config{BaseURL: floorsAt, APIKey: wiretest.Key(), Options: o}))
}

// swapFloors are the builders of package swap that trade.
func swapFloors() (all []floorRow) {
	const asked = "an output for 7 of the input, at 1 %"
	quoted := `{"inputMint":"` + floorIn + `","outputMint":"` + floorOut + `","inAmount":"7","outAmount":"500","minOutAmount":"495",
		"otherAmountThreshold":"495","slippageBps":100,"priceImpactPct":"0.1","contextSlot":9,"forBundle":false}`
	const height = `"lastValidBlockHeight":9`
	const limits = `"computeUnitLimit":7,"prioritizationFeeLamports":12000,` + height
	least495 := []lie{
		{`"minOutAmount":"495"`, `"minOutAmount":"494"`}, {`"minOutAmount":"495"`, `"minOutAmount":"1"`},
	}
	thresholds := append([]lie{{`"otherAmountThreshold":"495"`, `"otherAmountThreshold":"1"`}}, least495...)
	noOutput := lie{`"outAmount":"500"`, `"outAmount":"0"`}
	fee := lie{`"prioritizationFeeLamports":12000`, `"prioritizationFeeLamports":12000000`}
	built := func(c *swap.Client, ctx context.Context) (swap.BuildRequest, error) {
		quote, err := c.GetQuote(ctx, swap.QuoteRequest{InputMint: floorIn, OutputMint: floorOut, Amount: 7, Slippage: onePercent})
		return swap.BuildRequest{Owner: floorOwner, Quote: quote, PrioritizationFee: swap.PriorityLamports(12_000)}, err
	}
	all = append(all, floorRow{
		name: "swap.BuildSwap", asked: asked, receive: least(495), lies: append(thresholds, fee),
		answers: []string{quoted, `{"swapTransaction":"AQID",` + limits + `}`},
		build: func(ctx context.Context, o walletfi.Options) (walletfi.Intent, error) {
			c := swapAt(o)
			req, err := built(c, ctx)
			if err != nil {
				return walletfi.Intent{}, err
			}
			return floorOf(c.BuildSwap(ctx, req))
		},
	}, floorRow{
		name: "swap.BuildSwapInstructions", asked: asked, receive: least(495), lies: thresholds,
		answers: []string{quoted, `{"instructions":[{"programId":"11111111111111111111111111111111","accounts":[],"data":""}],"addressLookupTableAddresses":[],"computeUnitLimit":7}`},
		build: func(ctx context.Context, o walletfi.Options) (walletfi.Intent, error) {
			c := swapAt(o)
			req, err := built(c, ctx)
			if err != nil {
				return walletfi.Intent{}, err
			}
			parts, err := c.BuildSwapInstructions(ctx, req)
			if err != nil {
				return walletfi.Intent{}, err
			}
			return parts.Intent(), nil
		},
	})
	for mode, after := range map[string]*time.Duration{
		`"executionMode":"sync"`: nil, `"executionMode":"SYNC"`: nil, `"executionMode":"async"`: atTheFill,
		`"executionMode":"polled"`: atTheFill, `"executionMode":null`: atTheFill,
	} {
		all = append(all, floorRow{
			name: "swap.BuildOrder, " + mode, asked: asked, receive: least(495), after: after, lies: append(least495, noOutput, fee),
			answers: []string{`{"transaction":"AQID","outAmount":"500","minOutAmount":"495","priceImpactPct":"0.1",` + limits + `,` + mode + `}`},
			build: func(ctx context.Context, o walletfi.Options) (walletfi.Intent, error) {
				return floorOf(swapAt(o).BuildOrder(ctx, swap.OrderRequest{
					Owner: floorOwner, InputMint: floorIn, OutputMint: floorOut, Amount: 7, Slippage: onePercent,
					PrioritizationFee: swap.PriorityLamports(12_000),
				}))
			},
		})
	}
	return append(all, floorRow{
		name: "swap.BuildIntent", asked: asked, receive: least(495), after: atTheFill,
		answers: []string{`{"inputMint":"` + floorIn + `","outputMint":"` + floorOut + `","inAmount":7,"slippageBps":100,` + height +
			`,"transaction":"AQID","estimatedOutAmount":"500","guaranteedOutAmount":"495"}`},
		lies: []lie{
			{`"guaranteedOutAmount":"495"`, `"guaranteedOutAmount":"494"`}, {`"guaranteedOutAmount":"495"`, `"guaranteedOutAmount":"1"`},
			{`"estimatedOutAmount":"500"`, `"estimatedOutAmount":"0"`},
		},
		build: func(ctx context.Context, o walletfi.Options) (walletfi.Intent, error) {
			return floorOf(swapAt(o).BuildIntent(ctx, swap.IntentRequest{
				Owner: floorOwner, InputMint: floorIn, OutputMint: floorOut, Amount: 7, Slippage: onePercent,
			}))
		},
	})
}

// routedFloors are the swaps of packages amm and providerswap.
func routedFloors() []floorRow {
	quote := func(in, out, threshold string) string {
		return `{"success":true,"data":{"inputMint":"` + floorIn + `","outputMint":"` + floorOut + `","inAmount":"` + in +
			`","outAmount":"` + out + `","otherAmountThreshold":"` + threshold + `","priceImpactPct":"0.1"}}`
	}
	const signed = `{"success":true,"data":[{"transaction":"AQID"}]}`
	return []floorRow{{
		name: "amm.BuildSwap, an exact input", asked: "an output for 7 of the input, at 1 %", receive: least(495),
		answers: []string{quote("7", "500", "495"), signed}, build: ammFloor(amm.BaseIn, 7),
		lies: []lie{
			{`"otherAmountThreshold":"495"`, `"otherAmountThreshold":"494"`}, {`"outAmount":"500"`, `"outAmount":"0"`},
			{`"outAmount":"500","otherAmountThreshold":"495"`, `"outAmount":"0","otherAmountThreshold":"1"`},
		},
	}, {
		name: "amm.BuildSwap, an exact output", asked: "500 for at most 1000, at 1 %", receive: least(500),
		answers: []string{quote("900", "500", "909"), signed}, build: ammFloor(amm.BaseOut, 500),
		lies: []lie{
			{`"outAmount":"500"`, `"outAmount":"499"`}, {`"otherAmountThreshold":"909"`, `"otherAmountThreshold":"910"`},
			{`"inAmount":"900"`, `"inAmount":"1001"`},
			{`"inAmount":"900","outAmount":"500","otherAmountThreshold":"909"`,
				`"inAmount":"18446744073709551615","outAmount":"500","otherAmountThreshold":"18446744073709551615"`},
		},
	}, {
		name: "providerswap.BuildSwap", asked: "an output for 7 of the input, at 1 %", receive: least(495),
		answers: []string{`{"srcAmountIn":"7","destAmountOut":"500","destAmountOutMin":"495","priceImpactPct":"0.1","txn":"AQID"}`},
		lies: []lie{
			{`"destAmountOutMin":"495"`, `"destAmountOutMin":"494"`}, {`"destAmountOut":"500"`, `"destAmountOut":"0"`},
			{`"destAmountOut":"500","destAmountOutMin":"495"`, `"destAmountOut":"0","destAmountOutMin":"0"`},
		},
		build: func(ctx context.Context, o walletfi.Options) (walletfi.Intent, error) {
			return floorOf(providerAt(o).BuildSwap(ctx, providerswap.BuildRequest{Owner: floorOwner, QuoteRequest: providerswap.QuoteRequest{
				InputMint: floorIn, OutputMint: floorOut, Amount: 7, Slippage: onePercent,
			}}))
		},
	}, {
		name: "providerswap.BuildSwapV1, of a quote", asked: "an output for 7 of the input, at 1 %", receive: least(495),
		answers: []string{`{"inAmount":"7","outAmount":"500","minOutAmount":"495"}`, builtV1()}, build: v1Floor(true),
		lies: []lie{
			{`"minOutAmount":"495"`, `"minOutAmount":"494"`}, {`"outAmount":"500"`, `"outAmount":"0"`}, {`"inAmount":"7"`, `"inAmount":"6"`},
			{`"outAmount":"500","minOutAmount":"495"`, `"outAmount":"500","minOutAmount":"1"`},
		},
	}, {
		name: "providerswap.BuildSwapV1, without a quote", asked: "MinReceive 5 for 7 of the input", receive: least(5),
		answers: []string{builtV1()}, build: v1Floor(false), mute: true,
	}}
}

// ammFloor quotes and builds.
func ammFloor(kind amm.Kind, amount walletfi.Amount) func(context.Context, walletfi.Options) (walletfi.Intent, error) {
	return func(ctx context.Context, o walletfi.Options) (walletfi.Intent, error) {
		c := flows.Must(amm.New(amm.Config{TradeURL: floorsAt, DataURL: floorsAt, Pause: new(time.Duration(0)), Options: o}))
		quote := c.QuoteBaseIn
		if kind == amm.BaseOut {
			quote = c.QuoteBaseOut
		}
		q, err := quote(ctx, amm.QuoteRequest{InputMint: floorIn, OutputMint: floorOut, Amount: amount, Slippage: onePercent})
		if err != nil {
			return walletfi.Intent{}, err
		}
		return floorOf(c.BuildSwap(ctx, amm.BuildRequest{Quote: q, Owner: floorOwner, MaxSpend: 1000}))
	}
}

func providerAt(o walletfi.Options) *providerswap.Client {
	return flows.Must(providerswap.New(providerswap.Config{BaseURL: floorsAt + "/api/v2", APIKey: wiretest.Key(), Options: o}))
}

// builtV1 is an answer with the structure of a transaction.
func builtV1() string {
	text, _ := json.Marshal(base64.StdEncoding.EncodeToString(wiretest.Transaction(0, make([]byte, 32+32+1)...)))
	return string(text)
}

// v1Floor builds, of a quote or not.
func v1Floor(quoted bool) func(context.Context, walletfi.Options) (walletfi.Intent, error) {
	return func(ctx context.Context, o walletfi.Options) (walletfi.Intent, error) {
		c, req := providerAt(o), providerswap.BuildV1Request{Owner: floorOwner, QuoteV1Request: providerswap.QuoteV1Request{
			QuotesV1Request: providerswap.QuotesV1Request{InputMint: floorIn, OutputMint: floorOut, Amount: 7, Slippage: onePercent}, Provider: "a",
		}}
		if quoted {
			quote, err := c.GetQuoteV1(ctx, req.QuoteV1Request)
			if err != nil {
				return walletfi.Intent{}, err
			}
			req.Quote = quote
		} else {
			req.MinReceive = 5
		}
		return floorOf(c.BuildSwapV1(ctx, req))
	}
}
