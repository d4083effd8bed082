package burnclose

import (
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

func (b *Service) burn(c *kit.Call, in burnRequest) any { return b.transaction(c, b.planBurn(c, in)) }

func (b *Service) burnInstructions(c *kit.Call, in burnRequest) any {
	return b.bare(c, b.planBurn(c, in))
}

func (b *Service) previewBurn(c *kit.Call, in burnRequest) any {
	return b.planBurn(c, in).preview(c.Shape(2))
}

// transaction answers a job's transaction.
func (b *Service) transaction(c *kit.Call, j job) any {
	tx := b.build(j)
	shape := c.Shape(2)
	answer := reclaimed(j.reclaimed(), "", shape)
	answer["serializedTransaction"] = tx.Base58()
	if shape == 0 {
		answer["operationType"] = j.operation()
	} else {
		answer["operation"], answer["lastValidBlockHeight"] = j.operation(), tx.LastValidBlockHeight
	}
	return answer
}

// bare answers a job's instructions.
func (b *Service) bare(c *kit.Call, j job) any {
	shape := c.Shape(2)
	instructions := serialized(j.instructions(), shape)
	answer := reclaimed(j.reclaimed(), "", shape)
	answer["instructions"] = instructions
	return answer
}

// preview says how much a job would reclaim and cost.
func (j job) preview(shape int) any {
	x := j.accounts[0]
	network, priority, partner := j.networkFee(), j.priorityFee(), j.partnerFee()
	answer := reclaimed(j.reclaimed(), "", shape)
	if shape == 0 {
		answer["operationType"] = j.operation()
		answer["fees"] = feeSum(network, priority, partner)
		answer["asset"] = map[string]any{
			"mint": x.mint, "tokenAccount": x.address, "burnAmount": strconv.FormatUint(j.burn, 10), "decimals": x.decimals,
		}
		answer["referralCode"] = j.referral
		return answer
	}
	answer["operation"] = j.operation()
	answer["feeBreakdown"] = feeList(network, priority, partner)
	answer["assetId"], answer["account"], answer["burned"] = x.mint, x.address, j.burn
	answer["closesAccount"], answer["feePayer"] = j.closes, j.payer
	return answer
}

func feeSum(network, priority, partner uint64) any {
	return map[string]any{
		"networkFeeLamports": network, "priorityFeeLamports": priority, "partnerFeeLamports": partner,
		"totalFeeLamports": network + priority + partner,
	}
}

func feeList(network, priority, partner uint64) []any {
	return []any{
		map[string]any{"type": "network", "lamports": network},
		map[string]any{"type": "priority", "lamports": priority},
		map[string]any{"type": "partner", "lamports": partner},
	}
}

// reclaimed says lamports and SOL under one of two pairs of names,
// numbers in the one and text in the other. The prefix is "total" for sums.
func reclaimed(lamports uint64, prefix string, shape int) map[string]any {
	sol := float64(lamports) / build.LamportsPerSOL
	name := func(text string) string {
		if prefix == "" {
			return strings.ToLower(text[:1]) + text[1:]
		}
		return prefix + text
	}
	if shape == 0 {
		return map[string]any{name("LamportsReclaimed"): lamports, name("SolReclaimed"): sol}
	}
	return map[string]any{
		name("ReclaimedLamports"): strconv.FormatUint(lamports, 10),
		name("ReclaimedSol"):      strconv.FormatFloat(sol, 'f', 9, 64),
	}
}
