//! What was drawn last, so that it need not be drawn again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// So many things at most, the one that was asked for last first.
pub struct Recent<T> {
    most: usize,
    kept: Mutex<VecDeque<Arc<T>>>,
}

impl<T> Recent<T> {
    /// None yet.
    pub const fn new(most: usize) -> Recent<T> {
        Recent { most, kept: Mutex::new(VecDeque::new()) }
    }

    /// The one that is meant, or else a new one, which is drawn while others go on; `None` where that cannot be drawn. Of two
    /// who draw the same at once both get the first.
    pub fn get(&self, is_meant: impl Fn(&T) -> bool, draw: impl FnOnce() -> Option<T>) -> Option<Arc<T>> {
        if let Some(found) = found(&mut self.locked(), &is_meant) {
            return Some(found);
        }
        let drawn = Arc::new(draw()?);
        let mut kept = self.locked();
        if let Some(found) = found(&mut kept, &is_meant) {
            return Some(found);
        }
        kept.truncate(self.most - 1);
        kept.push_front(Arc::clone(&drawn));
        Some(drawn)
    }

    fn locked(&self) -> MutexGuard<'_, VecDeque<Arc<T>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The one that is meant, which goes to the front.
fn found<T>(kept: &mut VecDeque<Arc<T>>, is_meant: &impl Fn(&T) -> bool) -> Option<Arc<T>> {
    let at = kept.iter().position(|one| is_meant(one))?;
    let one = kept.remove(at)?;
    kept.push_front(Arc::clone(&one));
    Some(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_and_what_is_not_goes() {
        let recent = Recent::new(2);
        let mut drawn = Vec::new();
        for number in [1, 2, 1, 3, 1, 2] {
            let draw = || {
                drawn.push(number);
                Some(number)
            };
            assert_eq!(recent.get(|one| *one == number, draw).as_deref(), Some(&number));
        }
        assert_eq!(drawn, [1, 2, 3, 2], "1 was asked for often enough");
        assert_eq!(recent.get(|one| *one == 9, || None), None);
        // Somebody else was faster.
        let slow = recent.get(|one| *one == 4, || recent.get(|one| *one == 4, || Some(4)).map(|one| *one)).unwrap();
        assert!(Arc::ptr_eq(&slow, &recent.get(|one| *one == 4, || None).unwrap()));
        assert_eq!(recent.locked().len(), 2);
    }
}
