package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// recording is the first line of a file of recorded candles. A tick a line follows.
type recording struct {
	Interval    time.Duration `json:"interval"` // nanoseconds
	USDC        string        `json:"usdc"`     // mint
	Start       balances      `json:"start"`    // what the wallet held
	Instruments []instrument  `json:"instruments"`
}

// recorder is a source that writes down the ticks of another one.
type recorder struct {
	source
	file *os.File
	out  *json.Encoder
}

func record(path string, from source, head recording) (*recorder, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	r := &recorder{from, file, json.NewEncoder(file)}
	head.Interval, head.Instruments = interval, from.instruments()
	return r, r.out.Encode(head)
}

func (r *recorder) next() (tick, error) {
	t, err := r.source.next()
	if err == nil {
		err = r.out.Encode(t)
	}
	return t, err
}

// replay is the source of a backtest: recorded candles.
type replay struct {
	recording
	lines *bufio.Reader
	file  *os.File
	at    int
}

func openReplay(path string) (*replay, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &replay{lines: bufio.NewReader(file), file: file}
	if err := r.read(&r.recording); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if r.Interval != interval {
		file.Close()
		return nil, fmt.Errorf("%s: candles of %v, the strategy takes %v", path, r.Interval, interval)
	}
	return r, nil
}

func (r *replay) read(v any) error {
	r.at++
	line, err := r.lines.ReadBytes('\n')
	if errors.Is(err, io.EOF) && len(line) == 0 {
		return io.EOF
	}
	if err == nil {
		err = json.Unmarshal(line, v)
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", r.at, err)
	}
	return nil
}

func (r *replay) instruments() []instrument { return r.Instruments }

func (r *replay) next() (t tick, err error) { return t, r.read(&t) }
