package services

import (
	"sync"
	"time"
)

// cache keeps what all users see alike, so that a page that many people open costs the
// services, one of which bills each post, no more than one that few people open.
type cache[T any] struct {
	mu   sync.Mutex
	kept map[string]kept[T]
}

type kept[T any] struct {
	value T
	until time.Time
}

// get returns what is kept under a key, else what ask returns. Errors are not kept.
func (c *cache[T]) get(key string, lasts time.Duration, ask func() (T, error)) (T, error) {
	c.mu.Lock()
	found, ok := c.kept[key]
	c.mu.Unlock()
	if ok && time.Now().Before(found.until) {
		return found.value, nil
	}
	value, err := ask()
	if err != nil {
		return value, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[string]kept[T]{}
	}
	c.kept[key] = kept[T]{value, time.Now().Add(lasts)}
	return value, nil
}
