package redislimit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/contrib/redislimit"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// childVariable has the task of a process of the fleet.
const childVariable = "WALLETFI_REDISLIMIT_TASK"

// TestFleetProcess is a process of the fleet, started by the other tests.
func TestFleetProcess(t *testing.T) {
	text := os.Getenv(childVariable)
	if text == "" {
		return
	}
	var job task
	require.NoError(t, json.Unmarshal([]byte(text), &job))
	took, err := job.run()
	require.NoError(t, err)
	out, err := json.Marshal(took)
	require.NoError(t, err)
	fmt.Println(string(out))
}

// run does the task and returns how long each permit of mode "idle" took.
func (j task) run() ([]time.Duration, error) {
	client := redis.NewClient(&redis.Options{Addr: j.Redis})
	defer client.Close()
	fleet, err := redislimit.New(redislimit.Config{Client: client, Key: j.Key, ReportPeriod: 600 * time.Millisecond})
	if err != nil {
		return nil, err
	}
	defer fleet.Close()
	web := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	ctx, cancel := context.WithTimeout(context.Background(), j.For)
	defer cancel()
	var took []time.Duration
	var workers sync.WaitGroup
	for _, l := range j.Loads {
		target := j.Judge + "/" + url.PathEscape(l.Name)
		limiter := fleet.Limiter(ratelimit.Scope{Service: "fleet", Class: url.PathEscape(l.Name), Budgets: []ratelimit.Budget{l.Budget}})
		for range l.Workers {
			workers.Go(func() {
				switch j.Mode {
				case "idle":
					took, err = idle(ctx, limiter)
				case "redislimit":
					saturate(ctx, limiter, func() bool { return request(context.Background(), web, target) })
				case "redis_rate":
					rate(ctx, redis_rate.NewLimiter(client), l, func() { request(context.Background(), web, target) })
				}
			})
		}
	}
	workers.Wait()
	return took, err
}

// idle takes a slot now and then.
func idle(ctx context.Context, l ratelimit.Limiter) (took []time.Duration, err error) {
	done, err := l.Permit(ctx, time.Minute) // the first reports
	if err != nil {
		return nil, err
	}
	for {
		if err := done(ctx, true); err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return took, nil
		case <-time.After(40 * time.Millisecond):
		}
		begun := time.Now()
		if done, err = l.Permit(context.Background(), time.Minute); err != nil {
			return nil, err
		}
		took = append(took, time.Since(begun))
	}
}

// saturate takes slots until ctx ends.
func saturate(ctx context.Context, l ratelimit.Limiter, call func() bool) {
	for {
		done, err := l.Permit(ctx, 24*time.Hour)
		if err != nil {
			return
		}
		_ = done(ctx, call())
	}
}

// rate does as the page of redis_rate says.
func rate(ctx context.Context, limiter *redis_rate.Limiter, l load, call func()) {
	limit := redis_rate.Limit{Rate: l.Budget.Requests, Burst: l.Budget.Requests, Period: l.Budget.Per}
	for ctx.Err() == nil {
		result, err := limiter.Allow(ctx, l.Name, limit)
		if err != nil {
			return
		}
		if result.Allowed > 0 {
			call()
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(result.RetryAfter):
		}
	}
}
