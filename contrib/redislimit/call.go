package redislimit

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

//go:embed script.lua
var source string

var script = redis.NewScript(source)

// request is the script's argument. Durations are in microseconds.
type request struct {
	Op      string     `json:"op"`
	Process string     `json:"p"`
	Epoch   string     `json:"e"`
	Session int64      `json:"s"`
	Seq     int64      `json:"seq"` // the last one seen
	Nonce   string     `json:"nonce"`
	Windows [][3]int64 `json:"w"` // requests, length, tick
	Lease   int64      `json:"lease"`
	Report  int64      `json:"report"`
	Keep    int64      `json:"keep"` // in milliseconds, how long an unused scope is kept

	UnderWay int          `json:"f"`
	Owed     int          `json:"owed"` // answers that Redis may not have heard of
	Full     bool         `json:"full"` // Sent is there
	Sent     [][][2]int64 `json:"b"`    // by window: tick and number

	Ask      [][3]int64 `json:"ask"` // rank, age, how many of this process go before it
	Wait     bool       `json:"wait"`
	Patience int64      `json:"pat"` // who waits longer than this is refused
	Urgent   []int64    `json:"u"`   // the ages of the first that wait
	Urgents  int        `json:"uc"`
	Ordinary []int64    `json:"o"`
	Ordinals int        `json:"oc"`

	WasSent   bool  `json:"sent"`
	Probe     bool  `json:"probe"`   // the request that ended was one
	Probing   bool  `json:"probing"` // one of this process is under way
	In        int64 `json:"d"`
	FirstIn   int64 `json:"until_probe"` // a doubt's first probe
	Remaining int   `json:"n"`
}

// The script's first number.
const (
	codeOK = iota
	codeReport
	codeStale
	codeWindows
)

// answer holds the result of the script.
type answer struct {
	code  int64
	epoch string
	now   int64 // Redis's clock
	seq   int64
	rest  []int64
}

// onceCmd is a command that go-redis does not repeat: it may have been executed.
type onceCmd struct{ *redis.Cmd }

func (onceCmd) NoRetry() bool { return true }

var (
	errClosed  = errors.New("the fleet is closed")
	errTimeout = errors.New("redis does not answer")
	errWindows = errors.New("the processes of the fleet state different windows")
)

// run runs the script once. An error leaves open whether it was executed.
func (l *Limiter) run(r *request) (answer, error) {
	argument, err := json.Marshal(r)
	if err != nil {
		return answer{}, err
	}
	result := make(chan error, 1)
	var a answer
	ctx, cancel := context.WithTimeout(l.fleet.ctx, l.fleet.cfg.Timeout)
	go func() {
		defer cancel()
		got, err := l.eval(ctx, argument)
		a = got
		result <- err
	}()
	// A client of the caller's may not heed a context.
	timer := time.NewTimer(l.fleet.cfg.Timeout + 10*time.Millisecond)
	defer timer.Stop()
	select {
	case err := <-result:
		return a, err
	case <-l.fleet.ctx.Done():
		return answer{}, errClosed
	case <-timer.C:
		return answer{}, errTimeout
	}
}

func (l *Limiter) eval(ctx context.Context, argument []byte) (answer, error) {
	cmd := onceCmd{redis.NewCmd(ctx, "evalsha", script.Hash(), 1, l.name, argument)}
	cmd.SetFirstKeyPos(3)
	err := l.fleet.cfg.Client.Process(ctx, cmd)
	if err != nil && redis.HasErrorPrefix(err, "NOSCRIPT") {
		cmd = onceCmd{redis.NewCmd(ctx, "eval", source, 1, l.name, argument)}
		cmd.SetFirstKeyPos(3)
		err = l.fleet.cfg.Client.Process(ctx, cmd)
	}
	if err != nil {
		return answer{}, err
	}
	return parse(cmd.Val())
}

func parse(value any) (a answer, err error) {
	list, ok := value.([]any)
	if !ok || len(list) < 3 {
		return a, fmt.Errorf("the script returned %T of %d", value, len(list))
	}
	numbers := make([]int64, len(list))
	for i, v := range list {
		if i == 1 {
			a.epoch, ok = v.(string)
		} else {
			numbers[i], ok = v.(int64)
		}
		if !ok {
			return a, fmt.Errorf("the script returned %T in place %d", v, i)
		}
	}
	a.code, a.now = numbers[0], numbers[2]
	if len(numbers) > 3 {
		a.seq, a.rest = numbers[3], numbers[4:]
	}
	if a.code == codeWindows {
		return a, errWindows
	}
	return a, nil
}
