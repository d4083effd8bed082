package sandbox

import (
	"net/http"

	"github.com/gagliardetto/solana-go"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"
)

// swapLevels are the priority fees by level, lamports.
var swapLevels = map[string]uint64{"medium": 10_000, "high": 50_000, "veryHigh": 200_000}

// swapMostFee bounds what anybody would pay for priority: 1,000 SOL.
const swapMostFee = 1_000_000_000_000

// swapFees is what a transaction pays beside its signatures.
type swapFees struct {
	unitLimit uint32
	unitPrice uint64 // micro-lamports a unit
	lamports  uint64 // in all
	tip       uint64 // lamports, paid by a transfer
	kind      string
}

// swapUnits are compute-unit limits. They divide a million, so that a fee of
// any number of lamports can be paid exactly.
const (
	swapUnitsFixed = 500_000
	swapUnitsFew   = 125_000
	swapUnitsMore  = 200_000
)

// simulated is what a trade over so many pools uses.
func swapSimulatedUnits(hops int) int { return 55_000 + 25_000*hops }

// units is the limit of a transaction: fixed, or as little as will do.
func swapUnits(hops int, dynamic bool) uint32 {
	switch {
	case !dynamic:
		return swapUnitsFixed
	case swapSimulatedUnits(hops) > swapUnitsFew:
		return swapUnitsMore
	}
	return swapUnitsFew
}

// congestion is the fee that the network asks for at present.
func (w *swap) congestion() uint64 { return 8_000 + w.slot()%16*500 }

// fees works a priority fee out. Without any, the service chooses.
func (w *swap) fees(p *swapPriority, limit uint32) (swapFees, error) {
	f := swapFees{unitLimit: limit, kind: "compute-budget"}
	if p == nil {
		p = &swapPriority{}
	}
	if p.lamports > swapMostFee || p.multiplier > swapMostFee {
		return f, refuse(http.StatusBadRequest, "", "the priority fee is more than %d lamports", uint64(swapMostFee))
	}
	lamports := w.congestion()
	switch p.form {
	case swapDisabled:
		return f, nil
	case swapTip:
		f.tip, f.lamports, f.kind = p.lamports, p.lamports, "bundle-tip"
		return f, nil
	case swapLevel:
		lamports = swapLevels[p.level]
	case swapExact:
		lamports = p.lamports
	case swapMultiplied:
		lamports = min(uint64(float64(lamports)*p.multiplier), p.lamports)
	}
	f.unitPrice = lamports * 1_000_000 / uint64(limit)
	f.lamports = lamports
	return f, nil
}

// priced is the fees of a caller who names the price of a unit.
func swapPriced(price uint64, limit uint32) swapFees {
	lamports := poolShare(price, uint64(limit), 1_000_000)
	if price%1_000_000*uint64(limit)%1_000_000 != 0 {
		lamports++
	}
	return swapFees{unitLimit: limit, unitPrice: price, lamports: lamports, kind: "compute-budget"}
}

// tipping is the transfer of a tip, none where there is no tip.
func (w *swap) tipping(f swapFees, payer solana.PublicKey) []solana.Instruction {
	if f.tip == 0 {
		return nil
	}
	return []solana.Instruction{system.NewTransferInstruction(f.tip, payer, publicKey(w.keypair("swap tips"))).Build()}
}

// budgeting is what build would put in front of a transaction.
func (f swapFees) budgeting() (all []solana.Instruction) {
	all = append(all, computebudget.NewSetComputeUnitLimitInstruction(f.unitLimit).Build())
	if f.unitPrice > 0 {
		all = append(all, computebudget.NewSetComputeUnitPriceInstruction(f.unitPrice).Build())
	}
	return all
}
