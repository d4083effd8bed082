package limitertest

import "testing/synctest"

func init() { inTime = synctest.Test }
