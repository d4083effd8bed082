package sandbox

// closeAll answers the transactions that close what the window shows. Where
// there is nothing left to close they are none.
func (b *burnClose) closeAll(c *call, in burnCloseBatchRequest) (any, error) {
	w, err := b.planBatch(c, in, burnClosePerTransaction)
	if err != nil {
		return nil, err
	}
	transactions := make([]string, 0, len(w.jobs))
	for _, j := range w.jobs {
		tx, err := b.build(j)
		if err != nil {
			return nil, err
		}
		transactions = append(transactions, tx.base58())
	}
	answer := burnCloseReclaimed(w.sum(burnCloseJob.reclaimed), "total", c.shape(2))
	answer["transactions"], answer["accountsClosed"] = transactions, w.count
	return answer, nil
}

// previewCloseAll says of each account what closing it brings, and what all
// would cost in the transactions that closeAll answers.
func (b *burnClose) previewCloseAll(c *call, in burnCloseBatchRequest) (any, error) {
	w, err := b.planBatch(c, in, burnClosePerTransaction)
	if err != nil {
		return nil, err
	}
	shape := c.shape(2)
	accounts := []any{}
	for _, j := range w.jobs {
		for _, x := range j.accounts {
			account := burnCloseReclaimed(x.lamports, "", shape)
			account["mint"], account["tokenAccount"] = x.mint, x.address
			accounts = append(accounts, account)
		}
	}
	network, priority, partner := w.sum(burnCloseJob.networkFee), w.sum(burnCloseJob.priorityFee), w.sum(burnCloseJob.partnerFee)
	answer := burnCloseReclaimed(w.sum(burnCloseJob.reclaimed), "total", shape)
	answer["accounts"], answer["transactionCount"] = accounts, len(w.jobs)
	if shape == 0 {
		answer["operationType"], answer["accountsToClose"] = "close_all", w.count
		answer["fees"] = map[string]any{
			"networkFeeLamports": network, "priorityFeeLamports": priority, "partnerFeeLamports": partner,
			"totalFeeLamports": network + priority + partner,
		}
		return answer, nil
	}
	answer["operation"], answer["count"] = "close_all", w.count
	answer["feeBreakdown"] = burnCloseFeeList(network, priority, partner)
	answer["hasMore"] = w.offset+w.count < w.total
	return answer, nil
}

// summarizeCloseAll counts and adds up.
func (b *burnClose) summarizeCloseAll(c *call, in burnCloseBatchRequest) (any, error) {
	w, err := b.planBatch(c, in, burnClosePerTransaction)
	if err != nil {
		return nil, err
	}
	shape := c.shape(2)
	answer := burnCloseReclaimed(w.sum(burnCloseJob.reclaimed), "total", shape)
	if shape == 0 {
		answer["accountCount"], answer["closableAccounts"] = w.count, w.total
		return answer, nil
	}
	return map[string]any{"summary": answer, "count": w.count, "transactionCount": len(w.jobs)}, nil
}

// closeAllInstructions groups the instructions by the account that they close.
func (b *burnClose) closeAllInstructions(c *call, in burnCloseBatchRequest) (any, error) {
	w, err := b.planBatch(c, in, 1)
	if err != nil {
		return nil, err
	}
	shape := c.shape(2)
	groups := []any{}
	for _, j := range w.jobs {
		instructions, err := burnCloseSerialized(j.instructions(), shape)
		if err != nil {
			return nil, err
		}
		if shape == 0 {
			groups = append(groups, map[string]any{"account": j.accounts[0].address, "instructions": instructions})
		} else {
			groups = append(groups, instructions)
		}
	}
	answer := burnCloseReclaimed(w.sum(burnCloseJob.reclaimed), "total", shape)
	answer["instructions"], answer["accountsClosed"] = groups, w.count
	return answer, nil
}
