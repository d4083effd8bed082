package main

import (
	"fmt"
	"time"
)

// calendar writes a report at the end of each day, by UTC.
type calendar struct {
	say   func(line string)
	at    time.Time // of the last tick
	date  string
	first int64 // equity at the start
	open  int64 // and at the start of the day
	fills int   // before the day
}

func (c *calendar) ready() bool { return c.date != "" }

// today counts the events of the day so far.
func (c *calendar) today(equity int64) int64 { return equity - c.open }

// turn ends the day if a tick is of the next one. The day of the first prices is the
// first day.
func (c *calendar) turn(at time.Time, log *ledgerLog, p prices) error {
	c.at = at
	date := at.Format(time.DateOnly)
	if c.date == date || p["SOL"].IsZero() {
		return nil
	}
	equity := log.book.equity(p)
	if c.date == "" { // the bot has just started or restarted
		c.date, c.first, c.open, c.fills = date, equity, equity, len(log.book.fills)
		if n := len(log.days); n > 0 {
			c.first, c.open = log.days[0].Equity-log.days[0].Change, log.days[n-1].Equity
		}
		return nil
	}
	if err := c.report(log, equity); err != nil {
		return err
	}
	c.date, c.open, c.fills = date, equity, len(log.book.fills)
	return nil
}

// end reports the last day.
func (c *calendar) end(log *ledgerLog, p prices) error {
	if !c.ready() {
		return nil
	}
	return c.report(log, log.book.equity(p))
}

func (c *calendar) report(log *ledgerLog, equity int64) error {
	b := log.book
	d := day{
		Date: c.date, At: c.at, Equity: equity, Change: equity - c.open, Trades: len(b.fills) - c.fills,
		Fees: uint64(b.fees + b.tips), Open: len(b.positions), Unsure: len(b.unsure),
	}
	c.say(fmt.Sprintf("%s  equity %s USDC (%s)  trades %d  open %d  unsure so far %d",
		d.Date, dollars(d.Equity), signed(d.Change), d.Trades, d.Open, d.Unsure))
	return log.write(event{Day: &d})
}
