package web

import (
	"net"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Each user may make so many requests a second, with bursts for a page that loads.
const (
	userRate  = rate.Limit(10)
	userBurst = 60
	// Attempts to sign in, by name and by address.
	loginBurst = 10
	loginEvery = 3 * time.Second
)

// limits bounds what a user, and a guesser of passwords, may ask for.
type limits struct {
	mu     sync.Mutex
	users  map[string]*rate.Limiter
	logins map[string]*rate.Limiter
}

func newLimits() *limits {
	return &limits{users: map[string]*rate.Limiter{}, logins: map[string]*rate.Limiter{}}
}

func (l *limits) user(id string) bool {
	return l.allow(l.users, id, userRate, userBurst)
}

func (l *limits) login(address, name string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	ok := l.allow(l.logins, "host "+host, rate.Every(loginEvery), 4*loginBurst)
	return l.allow(l.logins, "name "+name, rate.Every(loginEvery), loginBurst) && ok
}

// most is how many limiters are kept. Beyond that those with a full burst are
// dropped, which loses nothing.
const most = 10_000

func (l *limits) allow(in map[string]*rate.Limiter, key string, every rate.Limit, burst int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(in) > most {
		for k, limiter := range in {
			if limiter.Tokens() >= float64(limiter.Burst()) {
				delete(in, k)
			}
		}
	}
	limiter := in[key]
	if limiter == nil {
		limiter = rate.NewLimiter(every, burst)
		in[key] = limiter
	}
	return limiter.Allow()
}
