package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// event is a line of the log. One of the fields is set.
type event struct {
	Started *balances   `json:"started,omitempty"` // what the wallet held when the bot first saw it
	Order   *order      `json:"order,omitempty"`   // written before anything is sent
	Unsure  string      `json:"unsure,omitempty"`  // the key of an order that is in doubt
	Settled *settlement `json:"settled,omitempty"`
	Day     *day        `json:"day,omitempty"`
}

// day is a day's report, and where the next day starts.
type day struct {
	Date   string    `json:"date"` // the day that ended
	At     time.Time `json:"at"`
	Equity int64     `json:"equity"` // smallest units of USDC
	Change int64     `json:"change"`
	Trades int       `json:"trades"`
	Fees   uint64    `json:"fees"` // lamports, all up to the day's end
	Open   int       `json:"open"` // positions
	Unsure int       `json:"unsure"`
}

// ledgerLog is the book on disk: one event a line, each on disk before the bot goes
// on. After a crash the book is read from the whole lines. A nil file keeps nothing,
// for a backtest.
type ledgerLog struct {
	file *os.File
	book *book
	days []day
}

// bookName is the log's file in the folder of a run.
const bookName = "book.jsonl"

// openLog reads the log at path into the book and opens it for more. A last line that
// a crash cut short was never acted on, and is cut off.
func openLog(path string, b *book) (*ledgerLog, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	l := &ledgerLog{file: file, book: b}
	if err := l.replay(); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

func (l *ledgerLog) replay() error {
	reader := bufio.NewReader(l.file)
	var whole int64
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if err := l.file.Truncate(whole); err != nil {
				return err
			}
			_, err := l.file.Seek(whole, io.SeekStart)
			return err
		}
		if err != nil {
			return err
		}
		var e event
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&e); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if err := l.apply(e); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		whole += int64(len(line))
	}
}

// write puts an event on disk, then into the book. An order whose key was used is
// refused before: the file must always be one that can be read again.
func (l *ledgerLog) write(e event) error {
	if o := e.Order; o != nil && (l.book.settled[o.Key] || l.book.pending[o.Key].Key != "") {
		return fmt.Errorf("order %s was written before", o.Key)
	}
	if l.file != nil {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if _, err := l.file.Write(append(line, '\n')); err != nil {
			return err
		}
		if err := l.file.Sync(); err != nil {
			return err
		}
	}
	return l.apply(e)
}

func (l *ledgerLog) apply(e event) error {
	switch b := l.book; {
	case e.Started != nil:
		b.start(*e.Started)
	case e.Order != nil:
		if b.settled[e.Order.Key] {
			return fmt.Errorf("order %s is settled", e.Order.Key)
		}
		b.pending[e.Order.Key] = *e.Order
	case e.Unsure != "":
		if _, ok := b.pending[e.Unsure]; !ok {
			return fmt.Errorf("order %s is not open", e.Unsure)
		}
		b.unsure[e.Unsure] = ""
	case e.Settled != nil:
		return b.settle(*e.Settled)
	case e.Day != nil:
		l.days = append(l.days, *e.Day)
	default:
		return errors.New("an event of no known kind")
	}
	return nil
}

func (l *ledgerLog) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
