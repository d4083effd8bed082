package market

import (
	"errors"
	"fmt"
)

// SetPrice moves the market price of a token: what a whole one is worth, in
// millionths of a dollar, above 0. All services use it from then on. It takes
// the lock itself.
func (b *Book) SetPrice(mint string, microUSD uint64) error {
	if microUSD == 0 {
		return errors.New("sandbox: a price must be above 0")
	}
	b.Lock()
	defer b.Unlock()
	for i := range b.Chain.Tokens {
		if b.Chain.Tokens[i].Mint == mint {
			b.Chain.Tokens[i].Price = microUSD
			for _, changed := range b.repriced {
				changed()
			}
			return nil
		}
	}
	return fmt.Errorf("sandbox: %s is not a mint", mint)
}

// OnPrice makes SetPrice call changed before it returns, with the lock held.
func (b *Book) OnPrice(changed func()) { b.repriced = append(b.repriced, changed) }
