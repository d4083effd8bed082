package swap

import "github.com/walletfi/walletfi-go"

// intent is what a swap may do to its user. The amounts are those of the
// quote's request; the least that should arrive is what the quote promised.
func (r SwapRequest) intent() walletfi.Intent {
	t, feeBps, mode := r.Quote.trade()
	i := walletfi.Intent{
		Service: "swap", Owner: r.User,
		Spend:       []walletfi.Asset{t.in},
		ServiceFee:  t.platformFee(feeBps, mode),
		TipLamports: r.PriorityFee.tip(),
		Sponsor:     r.Sponsor,

		MaxNetworkFeeLamports: r.PriorityFee.networkFeeCap(),
	}
	if price := r.ComputeUnitPriceMicroLamports; price != nil {
		i.MaxNetworkFeeLamports = new(walletfi.NetworkFeeCap(*price))
	}
	least := t.least(i.ServiceFee)
	if r.PositiveSlippage != nil {
		i.ServiceFee = add(i.ServiceFee, t.surplusShare(r.PositiveSlippage.Bps))
	}
	if r.FeeAccount != "" {
		i.Destinations = append(i.Destinations, r.FeeAccount)
	}
	if d := r.DestinationTokenAccount; d != nil {
		// What arrives there does not arrive at the owner.
		i.Destinations = append(i.Destinations, d.Address)
	} else {
		i.Receive = least
	}
	return i
}

// surplusShare is the most of what the trade brings beyond its quote that is
// given away. How much that is nobody knows beforehand; it is bounded by the
// room that slippage has on the other side of the quote.
func (t trade) surplusShare(bps int) walletfi.Asset {
	room := t.out.Amount - min(t.min, t.out.Amount)
	return walletfi.Asset{Mint: t.out.Mint, Amount: share(room, bps)}
}

// add puts an asset with its like in a list of fees.
func add(fees []walletfi.Asset, more walletfi.Asset) []walletfi.Asset {
	if more.Amount == 0 {
		return fees
	}
	for i := range fees {
		if fees[i].Mint == more.Mint {
			sum := fees[i].Amount + more.Amount
			if sum < more.Amount {
				sum = ^walletfi.Amount(0)
			}
			fees[i].Amount = sum
			return fees
		}
	}
	return append(fees, more)
}
