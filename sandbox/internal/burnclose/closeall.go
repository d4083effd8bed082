package burnclose

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

// closeAll returns the transactions that close the accounts in the window. The
// list is empty if no account is left.
func (b *Service) closeAll(c *kit.Call, in batchRequest) any {
	w := b.planBatch(c, in, perTransaction)
	transactions := kit.List(w.jobs, func(j job) string { return b.build(j).Base58() })
	answer := reclaimed(w.sum(job.reclaimed), "total", c.Shape(2))
	answer["transactions"], answer["accountsClosed"] = transactions, w.count
	return answer
}

// previewCloseAll says how much closing each account reclaims, and what all
// would cost in the transactions that closeAll answers.
func (b *Service) previewCloseAll(c *kit.Call, in batchRequest) any {
	w := b.planBatch(c, in, perTransaction)
	shape := c.Shape(2)
	accounts := []any{}
	for _, j := range w.jobs {
		for _, x := range j.accounts {
			account := reclaimed(x.lamports, "", shape)
			account["mint"], account["tokenAccount"] = x.mint, x.address
			accounts = append(accounts, account)
		}
	}
	network, priority, partner := w.sum(job.networkFee), w.sum(job.priorityFee), w.sum(job.partnerFee)
	answer := reclaimed(w.sum(job.reclaimed), "total", shape)
	answer["accounts"], answer["transactionCount"] = accounts, len(w.jobs)
	if shape == 0 {
		answer["operationType"], answer["accountsToClose"] = "close_all", w.count
		answer["fees"] = feeSum(network, priority, partner)
		return answer
	}
	answer["operation"], answer["count"] = "close_all", w.count
	answer["feeBreakdown"] = feeList(network, priority, partner)
	answer["hasMore"] = w.offset+w.count < w.total
	return answer
}

// summarizeCloseAll counts and adds up.
func (b *Service) summarizeCloseAll(c *kit.Call, in batchRequest) any {
	w := b.planBatch(c, in, perTransaction)
	shape := c.Shape(2)
	answer := reclaimed(w.sum(job.reclaimed), "total", shape)
	if shape == 0 {
		answer["accountCount"], answer["closableAccounts"] = w.count, w.total
		return answer
	}
	return map[string]any{"summary": answer, "count": w.count, "transactionCount": len(w.jobs)}
}

// closeAllInstructions groups the instructions by the account that they close.
func (b *Service) closeAllInstructions(c *kit.Call, in batchRequest) any {
	w := b.planBatch(c, in, 1)
	shape := c.Shape(2)
	groups := kit.List(w.jobs, func(j job) any {
		instructions := serialized(j.instructions(), shape)
		if shape == 0 {
			return map[string]any{"account": j.accounts[0].address, "instructions": instructions}
		}
		return instructions
	})
	answer := reclaimed(w.sum(job.reclaimed), "total", shape)
	answer["instructions"], answer["accountsClosed"] = groups, w.count
	return answer
}
