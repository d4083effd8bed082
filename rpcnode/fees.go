package rpcnode

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/walletfi/walletfi-go"
)

var _ walletfi.FeeReader = (*Client)(nil)

// Bounds of what is asked for and of what is kept.
const (
	mostFeeAccounts = 128 // that a node takes
	mostFeeSlots    = 512 // of an answer; nodes keep 150
	mostFeesKept    = 256 // answers
	feesLife        = 400 * time.Millisecond
	mostFeesLife    = 2 * time.Second
	feesShare       = 0.05 // of a limit that questions for one market may take
)

// keepFees is how long an answer is kept.
func (w *wire) keepFees() time.Duration {
	rate := w.budget()
	if math.IsInf(rate, 1) {
		return feesLife
	}
	return time.Duration(max(feesLife.Seconds(), min(1/(feesShare*rate), mostFeesLife.Seconds())) * float64(time.Second))
}

// slotFees are prices by slot.
type slotFees map[uint64]uint64

// RecentFees returns the price of each recent slot, as [walletfi.FeeReader] says:
// getRecentPrioritizationFees. It asks for the accounts and for all transactions, and takes the
// greater of each slot. A slot that the node leaves out between two others had no transaction,
// and counts 0. Of more than 128 accounts the first 128 are asked for: name first those that many
// write, such as a pool's. An answer is kept for 400 ms, of a node with a Limiter of less than 50 requests a
// second for as long as 20 of them take, at most 2 seconds.
func (c *Client) RecentFees(ctx context.Context, writable []string) (walletfi.RecentFees, error) {
	bySlot, err := c.recentFees(ctx, writable)
	if err != nil {
		return walletfi.RecentFees{}, err
	}
	return walletfi.RecentFees{Prices: bySlot.list()}, nil
}

// recentFees reads both markets.
func (c *Client) recentFees(ctx context.Context, writable []string) (slotFees, error) {
	writable = writable[:min(len(writable), mostFeeAccounts)]
	for i, account := range writable {
		if _, err := solana.PublicKeyFromBase58(account); err != nil {
			return nil, &walletfi.ValidationError{
				Field: fmt.Sprintf("writable[%d]", i), Problem: "must be the base58 of 32 bytes",
			}
		}
	}
	global, err := c.market(ctx, nil)
	if err != nil || len(writable) == 0 {
		return global, err
	}
	local, err := c.market(ctx, slices.Sorted(slices.Values(writable)))
	if err != nil {
		return nil, err
	}
	both := maps.Clone(global)
	for slot, price := range local {
		both[slot] = max(both[slot], price)
	}
	if !both.plausible() {
		return nil, incomplete("getRecentPrioritizationFees")
	}
	return both, nil
}

// market reads one market. Those who want the same share the answer.
func (c *Client) market(ctx context.Context, accounts []string) (slotFees, error) {
	key := strings.Join(accounts, " ")
	leave, err := c.readingFees.enter(ctx, key)
	if err != nil {
		return nil, err
	}
	defer leave()
	if prices, ok := c.fees.get(key); ok {
		return prices, nil
	}
	type slotFee struct {
		Slot  *uint64 `json:"slot"`
		Price *uint64 `json:"prioritizationFee"`
	}
	prices := slotFees{}
	whole := func(all *[]slotFee) bool {
		clear(prices)
		for _, one := range *all {
			if one.Slot == nil || one.Price == nil {
				return false
			}
			prices[*one.Slot] = *one.Price
		}
		return len(prices) == len(*all) && prices.plausible()
	}
	var params []any
	if len(accounts) > 0 {
		params = []any{accounts}
	}
	if _, err := ask(ctx, c, "getRecentPrioritizationFees", whole, params...); err != nil {
		return nil, err
	}
	c.fees.put(key, prices)
	return prices, nil
}

// plausible reports prices of one stretch of slots.
func (s slotFees) plausible() bool {
	if len(s) == 0 {
		return false
	}
	first, last := s.bounds()
	return last-first < mostFeeSlots
}

func (s slotFees) bounds() (first, last uint64) {
	all := slices.Sorted(maps.Keys(s))
	return all[0], all[len(all)-1]
}

// list has a price for each slot of the stretch.
func (s slotFees) list() []uint64 {
	first, last := s.bounds()
	list := make([]uint64, last-first+1)
	for slot, price := range s {
		list[slot-first] = price
	}
	return list
}

// RecentFees asks all nodes, and takes the median of each slot, of two the lesser: see
// Client.RecentFees. It fails if not more than half of the nodes answer.
func (p *Pool) RecentFees(ctx context.Context, writable []string) (walletfi.RecentFees, error) {
	answers := make([]slotFees, len(p.cfg.Nodes))
	failures := make([]error, len(p.cfg.Nodes))
	var all sync.WaitGroup
	for i, n := range p.cfg.Nodes {
		all.Go(func() {
			once, cancel := context.WithTimeout(ctx, p.cfg.TryTimeout)
			defer cancel()
			answers[i], failures[i] = n.recentFees(once, writable)
		})
	}
	all.Wait()
	answers = slices.DeleteFunc(answers, func(s slotFees) bool { return s == nil })
	if 2*len(answers) <= len(p.cfg.Nodes) {
		return walletfi.RecentFees{}, errors.Join(failures...)
	}
	told := map[uint64][]uint64{}
	for _, one := range answers {
		for slot, price := range one {
			told[slot] = append(told[slot], price)
		}
	}
	median := slotFees{}
	for slot, prices := range told {
		if 2*len(prices) > len(answers) { // else a minority's, or too new for the others
			slices.Sort(prices)
			median[slot] = prices[(len(prices)-1)/2]
		}
	}
	if !median.plausible() {
		return walletfi.RecentFees{}, incomplete("getRecentPrioritizationFees")
	}
	return walletfi.RecentFees{Prices: median.list()}, nil
}
