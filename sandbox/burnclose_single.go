package sandbox

import "strconv"

func (b *burnClose) burn(c *call, in burnCloseBurnRequest) (any, error) {
	j, err := b.planBurn(c, in)
	if err != nil {
		return nil, err
	}
	return b.transaction(c, j)
}

func (b *burnClose) close(c *call, in burnCloseCloseRequest) (any, error) {
	j, err := b.planClose(c, in)
	if err != nil {
		return nil, err
	}
	return b.transaction(c, j)
}

func (b *burnClose) burnInstructions(c *call, in burnCloseBurnRequest) (any, error) {
	j, err := b.planBurn(c, in)
	if err != nil {
		return nil, err
	}
	return b.bare(c, j)
}

func (b *burnClose) closeInstructions(c *call, in burnCloseCloseRequest) (any, error) {
	j, err := b.planClose(c, in)
	if err != nil {
		return nil, err
	}
	return b.bare(c, j)
}

func (b *burnClose) previewBurn(c *call, in burnCloseBurnRequest) (any, error) {
	j, err := b.planBurn(c, in)
	if err != nil {
		return nil, err
	}
	return j.preview(c.shape(2)), nil
}

func (b *burnClose) previewClose(c *call, in burnCloseCloseRequest) (any, error) {
	j, err := b.planClose(c, in)
	if err != nil {
		return nil, err
	}
	return j.preview(c.shape(2)), nil
}

// transaction answers a job's transaction.
func (b *burnClose) transaction(c *call, j burnCloseJob) (any, error) {
	tx, err := b.build(j)
	if err != nil {
		return nil, err
	}
	shape := c.shape(2)
	answer := burnCloseReclaimed(j.reclaimed(), "", shape)
	answer["serializedTransaction"] = tx.base58()
	if shape == 0 {
		answer["operationType"] = j.operation()
	} else {
		answer["operation"], answer["lastValidBlockHeight"] = j.operation(), tx.LastValidBlockHeight
	}
	return answer, nil
}

// bare answers a job's instructions.
func (b *burnClose) bare(c *call, j burnCloseJob) (any, error) {
	shape := c.shape(2)
	instructions, err := burnCloseSerialized(j.instructions(), shape)
	if err != nil {
		return nil, err
	}
	answer := burnCloseReclaimed(j.reclaimed(), "", shape)
	answer["instructions"] = instructions
	return answer, nil
}

// preview says what a job would bring and cost.
func (j burnCloseJob) preview(shape int) any {
	x := j.accounts[0]
	network, priority, partner := j.networkFee(), j.priorityFee(), j.partnerFee()
	answer := burnCloseReclaimed(j.reclaimed(), "", shape)
	if shape == 0 {
		answer["operationType"] = j.operation()
		answer["fees"] = map[string]any{
			"networkFeeLamports": network, "priorityFeeLamports": priority, "partnerFeeLamports": partner,
			"totalFeeLamports": network + priority + partner,
		}
		answer["asset"] = map[string]any{"mint": x.mint, "tokenAccount": x.address, "burnAmount": strconv.FormatUint(j.burn, 10), "decimals": x.decimals}
		answer["referralCode"] = j.referral
		return answer
	}
	answer["operation"] = j.operation()
	answer["feeBreakdown"] = burnCloseFeeList(network, priority, partner)
	answer["assetId"], answer["account"], answer["burned"] = x.mint, x.address, j.burn
	answer["closesAccount"], answer["feePayer"] = j.closes, j.payer
	return answer
}

func burnCloseFeeList(network, priority, partner uint64) []any {
	return []any{
		map[string]any{"type": "network", "lamports": network},
		map[string]any{"type": "priority", "lamports": priority},
		map[string]any{"type": "partner", "lamports": partner},
	}
}

// burnCloseReclaimed says lamports and SOL under one of two pairs of names,
// numbers in the one and text in the other. The prefix is "total" for sums.
func burnCloseReclaimed(lamports uint64, prefix string, shape int) map[string]any {
	sol := strconv.FormatFloat(float64(lamports)/lamportsPerSOL, 'f', 9, 64)
	if shape == 0 {
		names := [2]string{"lamportsReclaimed", "solReclaimed"}
		if prefix != "" {
			names = [2]string{prefix + "LamportsReclaimed", prefix + "SolReclaimed"}
		}
		return map[string]any{names[0]: lamports, names[1]: float64(lamports) / lamportsPerSOL}
	}
	names := [2]string{"reclaimedLamports", "reclaimedSol"}
	if prefix != "" {
		names = [2]string{prefix + "ReclaimedLamports", prefix + "ReclaimedSol"}
	}
	return map[string]any{names[0]: strconv.FormatUint(lamports, 10), names[1]: sol}
}
