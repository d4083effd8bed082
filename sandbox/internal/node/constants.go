package node

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

// How many slots lie between two snapshots of the whole ledger, and of what changed since.
const (
	fullSnapshot        = 25_000
	incrementalSnapshot = 100
)

// getVoteAccounts lists the one validator, which has voted for the block before.
func (c *call) getVoteAccounts() any {
	var config struct {
		Votes *string `json:"votePubkey"`
	}
	c.param(0, false, &config)
	slot := c.slotAt(c.configAt(0).Commitment)
	identity, votes := c.validator()
	current, last, epoch := []any{}, c.BlockAt(slot-1), slot/slotsInEpoch
	if config.Votes == nil || addressOf(*config.Votes) == votes {
		current = append(current, map[string]any{
			"votePubkey": votes, "nodePubkey": identity, "activatedStake": uint64(stake), "commission": 0,
			"epochVoteAccount": true, "epochCredits": [][]uint64{{epoch, slot, epoch * slotsInEpoch}},
			"lastVote": last, "rootSlot": c.BlockAt(last - kit.Finality + 1),
		})
	}
	return map[string]any{"current": current, "delinquent": []any{}}
}

// getClusterNodes lists the one node, which tells none of its ports.
func (c *call) getClusterNodes() any {
	node := map[string]any{
		"pubkey": c.leader(), "version": nodeVersion, "featureSet": uint32(featureSet), "shredVersion": 50_093,
	}
	for _, port := range []string{
		"gossip", "tvu", "tpu", "tpuQuic", "tpuForwards", "tpuForwardsQuic", "tpuVote", "serveRepair", "rpc", "pubsub",
	} {
		node[port] = nil
	}
	return []any{node}
}

func (c *call) getInflationGovernor() any {
	c.configAt(0)
	return map[string]any{"initial": 0.08, "terminal": 0.015, "taper": 0.15, "foundation": 0.0, "foundationTerm": 0.0}
}

func (c *call) getInflationRate() any {
	const rate = 0.045
	epoch := c.slotAt(finalized) / slotsInEpoch
	return map[string]any{"total": rate, "validator": rate, "foundation": 0.0, "epoch": epoch}
}

// getInflationReward lists none: nobody stakes. An epoch without a block after it is refused.
func (c *call) getInflationReward() any {
	var addresses []string
	c.param(0, true, &addresses)
	for _, text := range addresses {
		addressOf(text)
	}
	var config struct {
		Epoch *uint64 `json:"epoch"`
	}
	c.param(1, false, &config)
	commitment := c.settledAt(1).Commitment
	epoch := c.slotAt(commitment)/slotsInEpoch - 1
	if config.Epoch != nil {
		epoch = *config.Epoch
	}
	first := (epoch + 1) * slotsInEpoch
	failIf(epoch >= c.slotAt(commitment)/slotsInEpoch, notAvailable, "Block not available for slot %d", first)
	failIf(first < c.FirstBlock(), cleanedUp,
		"Block %d cleaned up, does not exist on node. First available block: %d", first, c.FirstBlock())
	return make([]any, len(addresses))
}

func (c *call) getHighestSnapshotSlot() any {
	root := c.slotAt(finalized)
	full, newer := root/fullSnapshot*fullSnapshot, root/incrementalSnapshot*incrementalSnapshot
	answer := map[string]any{"full": full, "incremental": nil}
	if newer > full {
		answer["incremental"] = newer
	}
	return answer
}
