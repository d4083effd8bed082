package wallet

import (
	"context"
	"math"

	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/observe"
)

// What a door lands is measured by trials, as nothing tells which of several it was that landed a
// transaction: of those that several doors are given, some are given to one of them alone at first.
// A trial is a success if the transaction lands before another door gets it.
const (
	trialEvery  = 8       // transactions
	trialWeight = 1. / 16 // of one in a door's success
	mostSkipped = 4       // so many of its turns has a door that lands nothing one
	// A door that lands one in ten has so many trials in vain in a row once in 800 times. If the
	// others land nothing meanwhile either, it is not the door.
	sureTrials, sureLanded = 64, 16
)

// trials counts what they have shown of a door. The tracker's lock guards it.
type trials struct {
	failed float64 // the share of late, so that zero is a door that is not known
	vain   int     // in a row
	others int     // that other doors landed meanwhile
	barren bool    // it was told that it lands nothing
}

// firstDoors are those that c is given to at first.
func (t *tracker) firstDoors(c *parcel) []*door {
	if len(c.doors) < 2 || c.left { // one that was sent before may have landed already
		return c.doors
	}
	t.tries++
	if t.tries%trialEvery != 0 {
		return c.doors
	}
	c.alone = c.doors[t.tries/trialEvery%len(c.doors)]
	return []*door{c.alone}
}

// tried ends the trial of c, if there is one. The lock is held.
func (t *tracker) tried(c *parcel, landed bool) {
	d := c.alone
	if c.alone = nil; d == nil {
		return
	}
	was := d.barren
	d.failed -= d.failed * trialWeight
	if landed {
		d.vain, d.others, d.barren = 0, 0, false
		for _, other := range c.doors {
			if other != d {
				other.others++
			}
		}
	} else {
		d.failed += trialWeight
		d.vain++
		d.barren = was || d.vain >= sureTrials && d.others >= sureLanded
	}
	if was != d.barren && t.observer != nil {
		event := observe.Door{Name: d.name, Lands: landed, Trials: d.vain}
		t.begin(context.Background(), func(ctx context.Context) { observing.Tell(ctx, t.observer, event) })
	}
}

// skips reports that a door's turn in a round passes to another one, which lands more.
func (c *parcel) skips(d *door) bool {
	least := d.failed
	for _, other := range c.doors {
		least = min(least, other.failed)
	}
	each := min((1-least)/max(1-d.failed, 1e-9), mostSkipped)
	return c.sends/len(c.doors)%int(max(math.Round(each), 1)) != 0
}
