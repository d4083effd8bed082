package paid

import (
	"reflect"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
)

// plan is everything that a run depends on. It is drawn from mode, seed and
// number of keys, and made smaller by the shrinker.
type plan struct {
	Mode  string
	Seed  uint64
	Keys  []int        // the keys that take part, by the numbers that their draws go by
	World world.Config // without the service's node

	Pipes bool // HTTP over net.Pipe; otherwise requests without connections
	Panel bool // a wallet asks all endpoints as one pool; otherwise one of them alone

	Crew           int           // keys a machine
	GapMin, GapMax time.Duration // between the starts of two keys of a machine
	Rest           time.Duration // the longest pause of a caller after an unknown outcome
	DownMin, Down  time.Duration // how long a machine takes to come back
	Stop           time.Duration // the longest time that a process stands still
	Wrong          time.Duration // the most that a clock is off

	Shares shares

	// Hire makes the wallet of a process. Nil is wallet.New; the tests of the court
	// give ones that break their promise.
	Hire hire
	Dir  string // for journals in files
}

// shares are how often something happens. One that is zero never does, which
// is how the shrinker switches it off.
type shares struct {
	Old      float64 // of builds: the blockhash is up to 30 s old, rarely a minute
	Quick    float64 // of builds: the service reads its blockhash at processed, or
	Slow     float64 // at finalized, and at confirmed otherwise
	BadLast  float64 // of builds: the service tells a wrong last valid height, or none
	Poor     float64 // of keys: the owner's money comes at about the same time
	Sets     float64 // of keys: two to four transactions
	Bundles  float64 // of those: sent as a bundle
	Nonces   float64 // of keys: on a durable nonce
	Advance  float64 // of those: somebody else advances it
	Alike    float64 // of those: a stranger's nonce has the same value, and is used beside it
	Sponsors float64 // of machines: a relay pays the fee and signs last
	Anew     float64 // of a relay's visits: it signs with another signature than before
	Place    float64 // of keys: by Place and an OrderFunc

	Processed float64 // of machines: CommitmentProcessed
	Finalized float64 // of machines: CommitmentFinalized
	Doors     float64 // of machines: a second door gets the same bytes
	Effects   float64 // of machines: the effects are asked for

	Clocks   float64 // of processes: the clock is off
	Jumps    float64 // of processes: the clock jumps
	Deaths   float64 // of processes: it dies at a write, a request or some moment
	Pauses   float64 // of processes: it stands still for a while
	Orderly  float64 // of processes: it is closed and started anew
	Two      float64 // of machines: two processes share the journal
	Files    float64 // of machines: the journal is a file
	Torn     float64 // of deaths at a write to a file: half of it is written
	Locks    float64 // of machines with files: the lock is moved, and another process tries
	Disk     float64 // of journal writes: it fails, done or not
	Sluggish float64 // of machines: the journal takes its time

	Deadline float64 // of calls: the context ends early
	Peek     float64 // of executions: somebody asks for the outcome meanwhile
	Shared   float64 // of builds: the same bytes are given to a wallet for another key too
	Keyless  float64 // of machines: the callers name no key
	Double   float64 // of executions: called twice at once, with two builds
	Same     float64 // of repeats: with the very bytes of the last build
	Again    float64 // of ends: the key is executed once more all the same
}

// clone returns a copy that shares nothing.
func (p plan) clone() plan {
	p.Keys = slices.Clone(p.Keys)
	p.World = p.World.Clone()
	return p
}

// knob is something of a plan that can be switched off.
type knob struct {
	name string
	off  func(*plan)
}

// knobs lists what is on in p.
func (p plan) knobs() []knob {
	var list []knob
	for _, sw := range p.World.Switches() {
		list = append(list, knob{"world: " + sw.Name, func(p *plan) { sw.Off(&p.World) }})
	}
	all := reflect.TypeFor[shares]()
	for i := range all.NumField() {
		if reflect.ValueOf(p.Shares).Field(i).Float() != 0 {
			list = append(list, knob{all.Field(i).Name, func(p *plan) {
				reflect.ValueOf(&p.Shares).Elem().Field(i).SetFloat(0)
			}})
		}
	}
	if p.Pipes {
		list = append(list, knob{"pipes", func(p *plan) { p.Pipes = false }})
	}
	return list
}
