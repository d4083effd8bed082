package node

import (
	"bytes"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// What the node tells of its cluster, which has one validator: it leads every slot and
// votes in every block. The rest is as on mainnet.
const (
	slotsInEpoch = ledger.SlotsInEpoch
	stake        = ledger.Stake // of the validator
	maxLeaders   = 5000
	maxSamples   = 720
	sampleTime   = time.Minute
)

// validator is the identity of the validator and the account of its votes.
func (c *call) validator() (identity, votes solana.PublicKey) {
	keys := c.Block(c.slot())[0].Keys
	return keys[0], keys[1]
}

func (c *call) leader() solana.PublicKey {
	identity, _ := c.validator()
	return identity
}

func (c *call) getIdentity() any { return map[string]any{"identity": c.leader()} }

func (c *call) getSlotLeader() any {
	c.configAt(0)
	return c.leader()
}

func (c *call) getSlotLeaders() any {
	var start, limit uint64
	c.param(0, true, &start)
	c.param(1, true, &limit)
	failIf(limit > maxLeaders, params, "Invalid limit; max %d", maxLeaders)
	leaders, leader := make([]solana.PublicKey, limit), c.leader()
	for i := range leaders {
		epoch := (start + uint64(i)) / slotsInEpoch
		failIf(!c.scheduled(epoch), params, "Invalid slot range: leader schedule for epoch %d is unavailable", epoch)
		leaders[i] = leader
	}
	return leaders
}

// scheduled reports whether the leaders of an epoch are known: from that of the first block
// to the one after the root's.
func (c *call) scheduled(epoch uint64) bool {
	return epoch >= c.FirstBlock()/slotsInEpoch && epoch <= c.slotAt(finalized)/slotsInEpoch+1
}

// getLeaderSchedule lists the slots of each leader in an epoch, counted from its first. The
// first parameter may be the config.
func (c *call) getLeaderSchedule() any {
	config := struct {
		Commitment string  `json:"commitment"`
		Identity   *string `json:"identity"`
	}{}
	var slot *uint64
	if len(c.params) > 0 && bytes.HasPrefix(c.params[0], []byte{'{'}) {
		c.param(0, false, &config)
	} else {
		c.param(0, false, &slot)
		c.param(1, false, &config)
	}
	if slot == nil {
		slot = new(c.slotAt(config.Commitment))
	}
	leader := c.leader()
	if other := config.Identity != nil && addressOf(*config.Identity) != leader; other && c.scheduled(*slot/slotsInEpoch) {
		return map[string]any{}
	}
	if !c.scheduled(*slot / slotsInEpoch) {
		return nil
	}
	slots := make([]int, slotsInEpoch)
	for i := range slots {
		slots[i] = i
	}
	return map[string]any{leader.String(): slots}
}

// getBlockProduction tells how many of its slots the leader made a block in.
func (c *call) getBlockProduction() any {
	var config struct {
		Identity *string `json:"identity"`
		Range    *struct {
			First uint64  `json:"firstSlot"`
			Last  *uint64 `json:"lastSlot"`
		} `json:"range"`
	}
	c.param(0, false, &config)
	commitment := c.configAt(0).Commitment
	newest := c.slotAt(commitment)
	first, last := newest-newest%slotsInEpoch, newest
	if r := config.Range; r != nil {
		first = r.First
		if r.Last != nil {
			last = *r.Last
		}
	}
	failIf(last < first, params, "lastSlot, %d, cannot be less than firstSlot, %d", last, first)
	oldest := newest - ledger.SlotHistory + 1
	failIf(first < oldest, params, "firstSlot, %d, is too small; min %d", first, oldest)
	failIf(last > newest, params, "lastSlot, %d, is too large; max %d", last, newest)
	leader, by := c.leader(), map[string]any{}
	if config.Identity == nil || addressOf(*config.Identity) == leader {
		by[leader.String()] = []uint64{last - first + 1, c.Height(last) - c.Height(first-1)}
	}
	span := map[string]any{"firstSlot": first, "lastSlot": last}
	return c.inContext(commitment, map[string]any{"byIdentity": by, "range": span})
}

// getBlockCommitment tells how much stake has voted so many times on top of a block, from
// once to 31 times, and then what has made it a root.
func (c *call) getBlockCommitment() any {
	var slot uint64
	c.param(0, true, &slot)
	answer := map[string]any{"commitment": nil, "totalStake": uint64(stake)}
	newest := c.slot()
	if slot > newest || c.BlockAt(slot) < slot || newest-slot > kit.Finality {
		return answer
	}
	votes := make([]uint64, kit.Finality)
	if newest > slot {
		votes[newest-slot-1] = stake
	}
	answer["commitment"] = votes
	return answer
}

func (c *call) getEpochInfo() any {
	config := c.configAt(0)
	slot := c.slotAt(config.Commitment)
	return map[string]any{
		"absoluteSlot": slot, "blockHeight": c.heightAt(config.Commitment), "epoch": slot / slotsInEpoch,
		"slotIndex": slot % slotsInEpoch, "slotsInEpoch": slotsInEpoch, "transactionCount": c.Transactions(slot),
	}
}

func (c *call) getEpochSchedule() any {
	return map[string]any{
		"slotsPerEpoch": slotsInEpoch, "leaderScheduleSlotOffset": slotsInEpoch, "warmup": false,
		"firstNormalEpoch": 0, "firstNormalSlot": 0,
	}
}

func (c *call) getTransactionCount() any { return c.Transactions(c.slotAt(c.configAt(0).Commitment)) }

// getRecentPerformanceSamples tells how much landed in each minute, the newest first, as
// far back as there are blocks.
func (c *call) getRecentPerformanceSamples() any {
	limit := uint(maxSamples)
	c.param(0, false, &limit)
	failIf(limit > maxSamples, params, "Invalid limit; max %d", maxSamples)
	slots := max(uint64(sampleTime/c.Config.SlotTime), 1)
	samples := []any{}
	for end := c.slot() / slots * slots; uint(len(samples)) < limit && end-slots >= c.FirstBlock(); end -= slots {
		blocks := c.Height(end) - c.Height(end-slots)
		all := c.Transactions(end) - c.Transactions(end-slots)
		samples = append(samples, map[string]any{
			"slot": end, "numSlots": blocks, "numTransactions": all, "numNonVoteTransactions": all - blocks,
			"samplePeriodSecs": sampleTime / time.Second,
		})
	}
	return samples
}

// getMaxRetransmitSlot and getMaxShredInsertSlot are the newest slot: nothing comes in early.
func (c *call) getMaxRetransmitSlot() any { return c.slot() }

func (c *call) getMaxShredInsertSlot() any { return c.slot() }

func (c *call) getStakeMinimumDelegation() any {
	return c.inContext(c.configAt(0).Commitment, uint64(build.LamportsPerSOL))
}
