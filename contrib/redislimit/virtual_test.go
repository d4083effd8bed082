package redislimit_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// virtual is the script on a clock of the test's own, with the processes that the test
// plays.
type virtual struct {
	t      *testing.T
	client *redis.Client
	source string
	key    string
	now    int64 // of Redis's clock, in microseconds
}

func newVirtual(t *testing.T) *virtual {
	t.Helper()
	source, err := os.ReadFile("script.lua")
	require.NoError(t, err)
	const clock = "redis.call('TIME')"
	require.Equal(t, 1, strings.Count(string(source), clock))
	client := redis.NewClient(&redis.Options{Addr: address(t)})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	return &virtual{
		t: t, client: client, source: strings.Replace(string(source), clock, "cjson.decode(ARGV[2])", 1),
		key: "walletfi:limit:{" + unique(t) + "}", now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro(),
	}
}

func (v *virtual) advance(d time.Duration) { v.now += d.Microseconds() }

const (
	vLease  = 3 * time.Second
	vReport = 60 * time.Millisecond
)

// process is one that the test plays. Its windows are those of its requests a length.
type process struct {
	v       *virtual
	id      string
	windows [][3]int64
	epoch   string
	session int64
	seq     int64
	f       int // under way
}

func (v *virtual) process(id string, windows ...[2]int64) *process {
	p := &process{v: v, id: id, windows: [][3]int64{}}
	for _, w := range windows {
		p.windows = append(p.windows, [3]int64{w[0], w[1], (w[1] + 1023) / 1024})
	}
	return p
}

// does runs a command, and returns the script's code and what follows its sequence.
func (p *process) does(op string, more map[string]any) (code int64, rest []int64) {
	p.v.t.Helper()
	request := map[string]any{
		"op": op, "p": p.id, "e": p.epoch, "s": p.session, "seq": p.seq, "nonce": fmt.Sprint(p.id, " ", p.v.now, " ", p.session),
		"w": p.windows, "lease": vLease.Microseconds(), "report": vReport.Microseconds(), "keep": 100_000, "f": p.f, "owed": 0, "full": false,
		"b": [][][2]int64{}, "ask": [][3]int64{}, "wait": false, "pat": 0, "u": []int64{}, "uc": 0, "o": []int64{}, "oc": 0, "sent": false, "d": 0, "n": 0,
		"probe": false, "probing": false, "until_probe": 0,
	}
	for name, value := range more {
		require.Contains(p.v.t, request, name)
		request[name] = value
	}
	argument, err := json.Marshal(request)
	require.NoError(p.v.t, err)
	clock, err := json.Marshal([]int64{p.v.now / 1e6, p.v.now % 1e6})
	require.NoError(p.v.t, err)
	answer, err := p.v.client.Eval(p.v.t.Context(), p.v.source, []string{p.v.key}, argument, clock).Slice()
	require.NoError(p.v.t, err)
	ttl, err := p.v.client.PTTL(p.v.t.Context(), p.v.key).Result()
	require.NoError(p.v.t, err)
	require.NotEqual(p.v.t, time.Duration(-1), ttl, "the key expires")
	for i, value := range answer[2:] {
		if i > 1 {
			rest = append(rest, value.(int64))
		}
	}
	if code = answer[0].(int64); code == 0 {
		p.epoch, p.seq = answer[1].(string), answer[3].(int64)
	}
	return code, rest
}

// sync reports, with what was sent by window.
func (p *process) sync(sent ...[][2]int64) int64 {
	p.v.t.Helper()
	p.session++
	for len(sent) < len(p.windows) {
		sent = append(sent, [][2]int64{})
	}
	code, _ := p.does("sync", map[string]any{"full": true, "b": sent})
	return code
}

// take asks for a slot; ok says that it got one. Otherwise in is when there is one.
func (p *process) take() (ok bool, in time.Duration) {
	p.v.t.Helper()
	code, rest := p.does("take", map[string]any{"ask": [][3]int64{{2, 0, 0}}})
	require.Zero(p.v.t, code)
	if rest[0] == 1 {
		p.f++
		return true, 0
	}
	return false, time.Duration(rest[1]) * time.Microsecond
}

func (p *process) done(sent bool) {
	p.v.t.Helper()
	code, _ := p.does("done", map[string]any{"sent": sent})
	require.Zero(p.v.t, code)
	p.f--
}

// burst takes and sends until it is refused.
func (p *process) burst(most int) (n int) {
	p.v.t.Helper()
	for ; n < most; n++ {
		if ok, _ := p.take(); !ok {
			return n
		}
		p.done(true)
	}
	return n
}
